import { type BookCode, chapterEnds, isBookCode, isDeuterocanonical } from '@lectern/canon';
import { decodeEntities, openCommentary, type SwordEntry } from '@lectern/corpus';
import { type NotePart, readNoteMarkup, splitAtHeadings, type TextReference } from './note-markup';
import type { UnresolvedReference, VersesAndParser } from './references';
import type { StandardVerses, VerseSpan } from './spans';

export interface CommentaryNote {
  readonly span: VerseSpan;
  /** Whether the note is on some verses of a chapter, on a whole chapter, or on a whole book. */
  readonly scope: TitleScope;
  readonly heading: string | null;
  /** The plain text, one paragraph on each line. Never empty. */
  readonly text: string;
  readonly references: readonly TextReference[];
}

export interface Commentary {
  /** The notes in the order in which the module has them. */
  readonly notes: readonly CommentaryNote[];
  readonly unresolved: readonly UnresolvedReference[];
}

/** What the text under a title is about: the verses of the entry, or the whole chapter or book. */
type TitleScope = 'verses' | 'chapter' | 'book';

/** How to read the titles in a commentary's entries. */
export interface CommentaryRules {
  readonly scopeOf: (title: string) => TitleScope;
  /** Returns the heading for the text under a title. Null for a title that says nothing, such as "Chapter 3". */
  readonly headingOf: (title: string) => string | null;
  /** Whether notes under a title keep this title if their own heading is only "Verse 3" or similar. */
  readonly isHeadingOfVerses: boolean;
}

/** An entry of the module. A note on several verses is repeated at each verse, up to `lastVerse`. */
interface Stretch {
  readonly entry: SwordEntry & { readonly code: BookCode };
  lastVerse: number;
}

/** Reads a commentary from its SWORD module. Throws an ImportError if the module cannot be read. */
export function readCommentary(
  confFile: string,
  rules: CommentaryRules,
  { verses, parser }: VersesAndParser,
): Commentary {
  const notes: CommentaryNote[] = [];
  const unresolved: UnresolvedReference[] = [];
  for (const stretch of readStretches(confFile)) {
    const { code, chapter, verse, text } = stretch.entry;
    const place = `${code} ${chapter}:${verse}`;
    let title = '';
    for (const part of splitAtHeadings(readNoteMarkup(text, parser))) {
      if (part.isTitled) title = part.heading ?? '';
      unresolved.push(...part.unresolved.map((reference) => ({ place, reference })));
      if (part.text !== '') notes.push(readNote(stretch, part, title, rules, verses));
    }
  }
  return { notes, unresolved };
}

function readStretches(confFile: string): Stretch[] {
  const stretches: Stretch[] = [];
  for (const entry of openCommentary(confFile).entries()) {
    const { code, chapter, verse } = entry;
    if (!isBookCode(code) || isDeuterocanonical(code)) continue;
    const last = stretches.at(-1);
    if (entry.repeated && last?.entry.code === code && last.entry.chapter === chapter) last.lastVerse = verse;
    else stretches.push({ entry: { ...entry, code }, lastVerse: verse });
  }
  return stretches;
}

/** Matches a heading that only names the verses of a note: "Verses 3-5", "Verse 3.", "Ver. 3." */
const verseHeading = /^Ver(?:ses?\b|s?\.)\s*(\d+)(?:\s*[-,]\s*(\d+))?\.?$/i;

function readNote(
  { entry, lastVerse }: Stretch,
  { heading, isTitled, text, references }: NotePart,
  title: string,
  rules: CommentaryRules,
  verses: StandardVerses,
): CommentaryNote {
  const { code: book, chapter } = entry;
  const spanOf = (first: number, last: number): VerseSpan | null =>
    verses.span({ book, chapter, verse: first }, { book, chapter, verse: last });
  const named = isTitled ? null : verseHeading.exec(heading ?? '');
  const namedSpan = named && spanOf(Number(named[1]), Number(named[2] ?? named[1]));
  const isUnderTitle = isTitled || heading === null || named !== null;
  let scope = namedSpan || !isUnderTitle || title === '' ? 'verses' : rules.scopeOf(title);
  if (entry.verse === 0) scope = chapter === 0 ? 'book' : 'chapter';
  const spans = {
    verses: () => namedSpan ?? spanOf(entry.verse, lastVerse),
    chapter: () => verses.chapterSpan(book, chapter),
    book: () => verses.chapterSpan(book, 1, chapterEnds('standard', book).length),
  };
  const span = spans[scope]();
  if (!span) throw new Error(`The standard numbering lacks the slot ${book} ${chapter}:${entry.verse}`);
  const titleHeading = title === '' || (named && !rules.isHeadingOfVerses) ? null : rules.headingOf(title);
  return { span, scope, heading: isUnderTitle ? titleHeading : heading, text, references };
}

/** Matches a row of an outline: `<cell>The creation of light.</cell><cell>(3-5)</cell>`. */
const outlineRow = /<cell[^<>]*>([^<]+)<\/cell>\s*<cell[^<>]*>\s*\((\d+)(?:-(\d+))?\)\s*<\/cell>/g;

/** Reads the outlines at the start of chapters: titles of parts, and their existing verses, each once, in order. */
export function readOutlines(confFile: string, { verses }: Pick<VersesAndParser, 'verses'>) {
  const parts = new Map<string, { readonly title: string; readonly span: VerseSpan }>();
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
