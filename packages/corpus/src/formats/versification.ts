import { type BookCode, type Place, parsePlace, placeOf, standardVerses, verseOrdinal } from '@lectern/canon';
import {
  type DraftTranslation,
  type Finding,
  importError,
  type Versification,
  type VersificationLine,
} from '../translation';

const place = String.raw`([A-Z1-6]{3}) +(\d{1,3}):(\d{1,3})[a-z]?(?:-(\d{1,3}))?`;
const maxLines = 5_000;
const mapping = new RegExp(`^&?${place} *= *${place}$`);

/**
 * Parses a file .vrs. "GEN 1:31 2:25" has last verses, "-ACT 8:37" is a verse that is left out, and "GEN 31:55 = GEN 32:1"
 * names the place of a verse in the Hebrew and Greek texts. "*ESG 1:12,-,a" names parts of verses, which are joined when
 * they are read. `#!` hides what older programs do not know.
 */
export function parseVersification(text: string, file: string): Versification {
  const ends = new Map<string, number>();
  const leftOut = new Set<number>();
  const lines: VersificationLine[] = [];
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const line = /^\uFEFF?(?:#!)?([^#]*)/.exec(written)?.[1]?.trim() ?? '';
    if (line === '' || line.startsWith('*')) continue;
    const left = line.startsWith('-') ? parsePlace(line.slice(1).trim()) : null;
    if (left) leftOut.add(verseOrdinal(left));
    const [, book, rest] = /^([A-Z1-6]{3})((?: +\d{1,3}:\d{1,3})+)$/.exec(line) ?? [];
    for (const [, chapter, end] of (rest ?? '').matchAll(/(\d{1,3}):(\d{1,3})/g))
      ends.set(`${book} ${Number(chapter)}`, Number(end));
    if (left || rest !== undefined || /^- ?[A-Z1-6]{3} /.test(line)) continue;
    if (lines.length === maxLines) throw importError(`${file} has more than ${maxLines} mappings of verses`);
    lines.push({ text: line, pairs: parseMapping(line), file, line: index + 1 });
  }
  return { ends, leftOut, lines };
}

/** Returns the pairs of places of a line such as "PSA 3:0-8 = PSA 3:1-9", or null if it is not understood. */
function parseMapping(line: string): VersificationLine['pairs'] {
  const [whole, ...parts] = mapping.exec(line) ?? [];
  if (whole === undefined) return null;
  const [own, original] = [rangeOf(parts.slice(0, 4)), rangeOf(parts.slice(4))];
  return own.flatMap((verse, index) => (verse ? [[verse, original[index] ?? original.at(-1) ?? null] as const] : []));
}

/** Verse 0 of a psalm is its title, which counts as part of its first verse. No chapter has 200 verses. */
function rangeOf([book = '', chapter, first, last = first]: readonly (string | undefined)[]): (Place | null)[] {
  const length = Math.min(Math.max(Number(last) - Number(first) + 1, 1), 200);
  return Array.from({ length }, (_, index) =>
    parsePlace(`${book} ${Number(chapter)}:${Math.max(Number(first) + index, 1)}`),
  );
}

export const booksOf = (verses: DraftTranslation['verses']): ReadonlySet<BookCode> =>
  new Set(verses.map(({ ordinal }) => placeOf(ordinal).book));

/** Returns a finding for each line of a file .vrs about a verse of `books` that the numbering places elsewhere. */
export function unusedLines(
  { versification, numbering, verses }: Pick<DraftTranslation, 'versification' | 'numbering' | 'verses'>,
  books = booksOf(verses),
): Finding[] {
  const isUsed = ([own, original]: readonly [Place, Place | null]): boolean => {
    const there = new Set(original ? standardVerses('original', original).map(verseOrdinal) : []);
    return !books.has(own.book) || standardVerses(numbering, own).some((verse) => there.has(verseOrdinal(verse)));
  };
  const unused = versification?.lines.filter(({ pairs }) => !pairs?.every(isUsed)) ?? [];
  return unused.map(({ text, pairs, file, line }) => {
    const why = pairs ? `is not used: the numbering ${numbering} places these verses elsewhere` : 'is not understood';
    return { kind: 'mapping', place: null, message: `'${text.slice(0, 60)}' ${why}`, file, line };
  });
}
