import { itemsOfThisRun } from '@lectern/testing';
import { kjvShape } from '../fixtures/kjv-shape';
import {
  books,
  chapterEnds,
  type Numbering,
  numberingShape,
  numberings,
  type Place,
  parseReference,
  type ResolvedReference,
  resolveInNumbering,
  slotsOf,
  standardVerses,
  verseOrdinal,
  withoutNumberingMark,
} from './index';

test.each([
  ['Esther A:1', 'ESG 11:2', 'standard'],
  ['Esth A:11-17', 'ESG 11:12-12:6', 'standard'],
  ['Est C:12', 'ESG 14:1', 'standard'],
  ['Greek Esther F,11', 'ESG 11:1', 'standard'],
  ['Ps 90 (LXX) 1', 'Ps 90: 1', 'septuagint'],
  ['Isa 7:14 MT', 'Isa 7:14 ', 'hebrew'],
  ['Ps 22,1 Vulg.', 'Ps 22,1 ', 'vulgate'],
  ['Isa 7:14 MT 1:23', 'Isa 7:14 MT 1:23', null],
  ['Esther 4:14', 'Esther 4:14', null],
  ['Jer 31:31 (LXX 38:31)', 'Jer 31:31 ', null],
  ['Jer 31:31 [LXX 38:31-34]', 'Jer 31:31 ', null],
  ['Ps 23:1 (Vulg. 22:1)', 'Ps 23:1 ', null],
  ['Ps 51:1 (MT 3)', 'Ps 51:1 ', null],
  ['Joel 2:28 (MT 3:1)', 'Joel 2:28 ', null],
  ['Jer 31:31 (LXX Jer 38:31)', 'Jer 31:31 ', null],
  ['Jer 31:31 (LXX 3', 'Jer 31:31 (LXX 3', null],
  ['Jer 38:31 LXX; Ps 23:1', 'Jer 38:31 LXX; Ps 23:1', null],
  ['Jer 38:31, Ps 23:1 LXX', 'Jer 38:31, Ps 23:1 LXX', null],
])('withoutNumberingMark takes the numbering out of %j', (written, text, numbering) =>
  expect(withoutNumberingMark(written)).toEqual({ text, numbering }),
);

test('resolveInNumbering returns the same verses for a chapter by its own numbering, in every numbering', () => {
  for (const numbering of numberings) {
    const shape = numberingShape(numbering);
    const point = { book: 'PSA', chapter: 9, verse: null } as const;
    const { reference } = resolveInNumbering([{ start: point, end: point }], numbering, numbering, shape) as {
      reference: string;
    };
    expect(`${numbering} ${reference}`).toBe(`${numbering} Psalms 9`);
  }
});

const resolved = (text: string, from: Numbering, to: Numbering): string => {
  const read = parseReference(text);
  const shape = to === 'standard' ? kjvShape('eng') : numberingShape(to);
  const spans = read.kind === 'reference' ? read.spans : [];
  const { reference, status } = resolveInNumbering(spans, from, to, shape) as ResolvedReference;
  return `${reference} ${status}`;
};

test.each([
  ['Ps 13', 'hebrew', 'standard', 'Psalms 13 OK'],
  ['Isa 63:19', 'hebrew', 'standard', 'Isaiah 63:19-64:1 OK'],
  ['1 Ki 22:43-44', 'standard', 'rv1909', '1 Kings 22:43-45 OK'],
  ['1 Chr 12', 'standard', 'hebrew', '1 Chronicles 12 OK'],
  ['Num 26', 'standard', 'hebrew', 'Numbers 25:19-26:65 OK'],
  ['Ps 51', 'standard', 'hebrew', 'Psalms 51 OK'],
  ['Ps 51:1', 'hebrew', 'luther', 'Psalms 51:1 OK'],
  ['Ps 51:3', 'hebrew', 'luther', 'Psalms 51:3 OK'],
  ['Joel 3:1', 'hebrew', 'standard', 'Joel 2:28 OK'],
] as const)('resolveInNumbering reads %j of %s in %s as %s', (text, from, to, reference) =>
  expect(resolved(text, from, to)).toBe(reference),
);

/** Returns the verses of a book that its chapters in another numbering lose, although they have their standard verses. */
function lostVerses(book: Place['book'], from: Numbering, to: Numbering): string[] {
  const found = new Set<number>();
  for (const chapter of chapterEnds(from, book).keys()) {
    const point = { book, chapter: chapter + 1, verse: null };
    const chapters = resolveInNumbering([{ start: point, end: point }], from, to, numberingShape(to));
    for (const place of (chapters as ResolvedReference).verses) found.add(verseOrdinal(place));
  }
  const isWritten = (slot: Place): boolean =>
    slot.book === book && slot.verse <= (chapterEnds(from, book)[slot.chapter - 1] ?? 0);
  return chapterEnds(to, book).flatMap((end, index) =>
    Array.from({ length: end }, (_, before) => ({ book, chapter: index + 1, verse: before + 1 })).flatMap((place) => {
      if (found.has(verseOrdinal(place))) return [];
      const [row] = standardVerses(to, place);
      return row && slotsOf(from, row).some(isWritten) ? [`${book} ${place.chapter}:${place.verse} ${from} ${to}`] : [];
    }),
  );
}

/** Returns the books that a numbering does not divide as `standard` does. */
const booksWithOwnNumbers = (numbering: Numbering): Place['book'][] =>
  books
    .map(({ code }) => code)
    .filter((book) =>
      chapterEnds(numbering, book).some(
        (end, index) =>
          end !== chapterEnds('standard', book)[index] ||
          Array.from({ length: end }, (_, before) => ({ book, chapter: index + 1, verse: before + 1 })).some(
            (place) => standardVerses(numbering, place)[0] !== place,
          ),
      ),
    );

test('resolveInNumbering loses no verse of a book whose standard verse the other numbering has', () => {
  const own = new Map(numberings.map((each) => [each, booksWithOwnNumbers(each)]));
  const pairs = numberings.flatMap((from) => numberings.filter((to) => to !== from).map((to) => [from, to] as const));
  // All pairs take 14 seconds.
  const lost = itemsOfThisRun(pairs, 8).flatMap(([from, to]) =>
    [...new Set([from, to].flatMap((each) => own.get(each) ?? []))].flatMap((book) => lostVerses(book, from, to)),
  );
  expect(lost).toEqual([]);
});
