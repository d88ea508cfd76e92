import { ordinalParts, type Place, verseOrdinal } from './ids';
import { chapterEnds, type Numbering, numberings, renumberAll, toStandard } from './numbering';
import { clampSpans, formatReference, resolveReference } from './resolve-reference';
import { numberingShape } from './shape';
import type { ReferencePoint, ReferenceSpan, ResolvedReference, TooMany, TranslationShape } from './types';

/** The numberings that people most likely mean, if a reference names another place in several of them. */
const likely: readonly Numbering[] = ['standard', 'hebrew', 'luther', 'vulgate', 'septuagint', 'synodal', 'nrsv'];

export const isNumbering = (text: string): text is Numbering => (numberings as readonly string[]).includes(text);

/** Resolves spans in the numbering `from` to verses in `to`, one by one: the order in a chapter may differ. */
export function resolveInNumbering(
  spans: readonly ReferenceSpan[],
  from: Numbering,
  to: Numbering,
  shape: TranslationShape,
): ResolvedReference | TooMany {
  const written = resolveReference({ kind: 'reference', spans }, numberingShape(from));
  if (written.kind !== 'resolved') return written;
  const hasVerse = ({ book, chapter, verse }: Place): boolean => shape.verses(book, chapter).includes(verse);
  const ordinals = new Set<number>();
  let isPartial = written.status === 'PARTIAL';
  for (const place of written.verses) {
    const places = renumberAll(place, from, to, hasVerse);
    if (places.length === 0) isPartial = true;
    for (const each of places) ordinals.add(verseOrdinal(each));
  }
  const verses = Array.from(ordinals, ordinalParts).filter((place) => place !== null);
  if (verses.length === 0)
    return { kind: 'resolved', verses, reference: formatReference(spans, shape), status: 'OUT_OF_RANGE' };
  const isWhole = spans.every(({ start, end }) => start.verse === null && end.verse === null);
  const { reference } = clampSpans(runsOf(verses, shape, isWhole), shape);
  return { kind: 'resolved', verses, reference, status: isPartial ? 'PARTIAL' : 'OK' };
}

/** Joins verses that follow each other in a book. If they are chapters, the result has no verse numbers. */
function runsOf(verses: readonly Place[], shape: TranslationShape, areChapters: boolean): ReferenceSpan[] {
  const runs: { start: Place; end: Place }[] = [];
  for (const place of verses) {
    const last = runs.at(-1);
    if (last && follows(last.end, place, shape)) last.end = place;
    else runs.push({ start: place, end: place });
  }
  const isWhole = ({ start, end }: { start: Place; end: Place }): boolean =>
    shape.verses(start.book, start.chapter)[0] === start.verse &&
    shape.verses(end.book, end.chapter).at(-1) === end.verse;
  return runs.map((run) =>
    areChapters && isWhole(run) ? { start: { ...run.start, verse: null }, end: { ...run.end, verse: null } } : run,
  );
}

function follows({ book, chapter, verse }: Place, next: Place, shape: TranslationShape): boolean {
  const verses = shape.verses(book, chapter);
  const following = verses[verses.indexOf(verse) + 1];
  if (book !== next.book) return false;
  if (chapter === next.chapter) return following === next.verse;
  return following === undefined && next.chapter === chapter + 1 && shape.verses(book, next.chapter)[0] === next.verse;
}

/** Finds a numbering in which spans exist and end elsewhere than in `taken`, or null: `first`, then `likely` ones. */
export function otherNumbering(spans: readonly ReferenceSpan[], taken: Numbering, first: Numbering): Numbering | null {
  const edges = (numbering: Numbering) =>
    spans.flatMap(({ start, end }) => [edgeOf(start, false, numbering), edgeOf(end, true, numbering)]);
  const own = edges(taken);
  const differs = (numbering: Numbering): boolean => {
    const other = edges(numbering);
    return !other.includes(null) && other.some((edge, index) => edge !== own[index]);
  };
  return [first, ...likely, ...numberings].find((each) => each !== taken && differs(each)) ?? null;
}

/** Returns the ordinal of the standard verse at an edge of a span, or null if the numbering does not have it. */
function edgeOf({ book, chapter, verse }: ReferencePoint, isEnd: boolean, numbering: Numbering): number | null {
  const ends = chapterEnds(numbering, book);
  const number = chapter ?? (isEnd ? ends.length : 1);
  const last = ends[number - 1] ?? 0;
  const at = Math.max(verse ?? (isEnd ? last : 1), 1);
  const standard = at > last ? null : toStandard(numbering, { book, chapter: number, verse: at });
  return standard && verseOrdinal(standard);
}

const wordsOf = {
  septuagint: 'LXX|Septuaginta?',
  hebrew: 'MT|TM|Masoretic',
  vulgate: 'Vulg|Vg|Vulgat[ae]',
} as const;

/** Matches a mark after a number. A number that follows inside the bracket has the mark, as in "Jer 31:31 (LXX 38:31)". */
const marks: readonly (readonly [Numbering, RegExp])[] = (['septuagint', 'hebrew', 'vulgate'] as const).map(
  (numbering) => {
    // "Isa 7:14 MT 1:23" names Matthew.
    const words = wordsOf[numbering].replace('MT', String.raw`MT(?![)\]]?\s{0,3}\d)`);
    const mark = String.raw`(?:${words})(?![\p{L}\p{N}])`;
    const bracketed = String.raw`[([]${mark}(?![^\d)\]]{0,16}\d)`;
    return [numbering, new RegExp(String.raw`(?:^${mark}|(?<=\d[a-f]?)\s{0,3}(?:${mark}|${bracketed}))\.?[)\]]?`, 'u')];
  },
);

/** Matches the number of the same text in another numbering: "(LXX 38:31)" in "Jer 31:31 (LXX 38:31)". */
const otherNumbers = new RegExp(
  String.raw`(?<=\d[a-f]?\s{0,3})[([](?:${Object.values(wordsOf).join('|')})\.?[:=]?\s{0,3}(?:[1-4]?\s?\p{L}{1,12}\.?\s{0,3})?\d[\d\s:.,;a-f–-]{0,30}[)\]]`,
  'gu',
);

/** Blanks out the numbers of the same text in other numberings. All other characters keep their positions. */
export const withoutOtherNumbers = (text: string): string =>
  text.replace(otherNumbers, (written) => `(${' '.repeat(written.length - 2)})`);

/** Returns the numbering that a mark after a reference names: of "1 (LXX), Ps 2", `septuagint`. */
export const markedNumbering = (text: string): Numbering | null =>
  marks.find(([, pattern]) => pattern.test(text))?.[0] ?? null;

const isList = (before: string, after: string): boolean =>
  `${before}${after}`.includes(';') ||
  /\d,\s{0,3}(?:[1-4]\s)?\p{Lu}\p{L}{1,14}\.?\s{0,3}\d/u.test(before) ||
  /(?<!\p{L})\p{Lu}\p{L}{1,14}\.?\s{0,3}\d/u.test(after);

/** Where parts of the additions to Greek Esther, A to F, begin: verse 1 of A is 11:2, and verse 12 is 12:1. */
const additions = 'A12=12:1 A1=11:2 B1=13:1 C12=14:1 C1=13:8 D1=15:1 E1=16:1 F11=11:1 F1=10:4'
  .split(' ')
  .map((part) => /^(\w)(\d+)=(\d+):(\d+)$/.exec(part) ?? []);
const addition =
  /(?<![\p{L}\p{N}])(?:greek\s{1,3})?(?:est(?:h|her|er)?|esg)\.?\s{1,3}([A-F])\s{0,3}[:.,]\s{0,3}(\d{1,2})(?:\s{0,3}[-–]\s{0,3}(\d{1,2}))?(?!\d)/iu;

/** Returns the chapter and the verse of a verse of an addition to Esther, A to F: 12 and 1 for verse 12 of A. */
export function placeInEsther(letter: string, verse: number): [chapter: number, verse: number] {
  const part = additions.find(([, name, first]) => name === letter.toUpperCase() && verse >= Number(first));
  const [, , first, chapter, start] = part ?? [];
  return [Number(chapter), Number(start) + verse - Number(first)];
}

/**
 * Takes the words for a numbering out of a reference: "Ps 90 (LXX) 1" becomes "Ps 90:1" in `septuagint`, and "Esther
 * A:1" becomes "ESG 11:2" in `standard`. "Jer 31:31 (LXX 38:31)" becomes "Jer 31:31", without a numbering.
 */
export function withoutNumberingMark(written: string): { text: string; numbering: Numbering | null } {
  const text = written.replace(otherNumbers, '');
  const [inEsther, letter = '', from, to] = addition.exec(text) ?? [];
  if (inEsther !== undefined) {
    const end = to === undefined ? '' : `-${placeInEsther(letter, Number(to)).join(':')}`;
    return {
      text: text.replace(inEsther, `ESG ${placeInEsther(letter, Number(from)).join(':')}${end}`),
      numbering: 'standard',
    };
  }
  for (const [numbering, pattern] of marks) {
    const found = pattern.exec(text);
    if (!found) continue;
    const before = text.slice(0, found.index);
    const after = text.slice(found.index + found[0].length);
    // A mark names the numbering of one reference. In a list it stays, and the reference is then rejected.
    if (isList(before, after)) continue;
    const isVerse = /^\s{0,3}\d/.test(after) && /\p{L}\.?\s{0,3}\d+$/u.test(before);
    return { text: `${before}${isVerse ? ':' : ' '}${after}`, numbering };
  }
  return { text, numbering: null };
}
