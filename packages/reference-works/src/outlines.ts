import { isBookCode } from '@lectern/canon';
import { decodeEntities, openCommentary } from '@lectern/corpus';
import type { VersesAndParser } from './references';
import type { VerseSpan } from './spans';

/** A part of a chapter with the title that a commentary gives it. */
export interface OutlinePart {
  readonly title: string;
  readonly span: VerseSpan;
}

/** Matches a row of an outline: `<cell>The creation of light.</cell><cell>(3-5)</cell>`. */
const outlineRow = /<cell[^>]*>([^<]+)<\/cell>\s*<cell[^>]*>\s*\((\d+)(?:-(\d+))?\)\s*<\/cell>/g;

/**
 * Reads the outlines that a commentary gives at the start of its chapters. Returns each part once,
 * in the order of the module. Leaves out parts whose verses do not exist. Throws an ImportError if
 * the module cannot be read.
 */
export function readOutlines(confFile: string, { verses }: Pick<VersesAndParser, 'verses'>): OutlinePart[] {
  const parts = new Map<string, OutlinePart>();
  for (const { code: book, chapter, text } of openCommentary(confFile).entries()) {
    if (!isBookCode(book)) continue;
    for (const [, markup = '', first, last = first] of text.matchAll(outlineRow)) {
      const title = decodeEntities(markup).replace(/\s+/g, ' ').trim();
      const span = verses.span({ book, chapter, verse: Number(first) }, { book, chapter, verse: Number(last) });
      if (span) parts.set(`${title} ${span.first} ${span.last}`, { title, span });
    }
  }
  return [...parts.values()];
}
