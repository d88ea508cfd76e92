import { books, chapterEnds, type Numbering, numberings, verseOrdinal } from '@lectern/canon';
import { recognizeNumbering } from './recognize';
import type { DraftVerse } from './translation';

/** A text with the verses that a numbering has, without those that `isMissing` names. */
const textIn = (numbering: Numbering, isMissing: (ordinal: number) => boolean = () => false): DraftVerse[] =>
  books
    .flatMap(({ code: book }) =>
      chapterEnds(numbering, book).flatMap((end, index) =>
        Array.from({ length: end }, (_, verse) => verseOrdinal({ book, chapter: index + 1, verse: verse + 1 })),
      ),
    )
    .filter((ordinal) => !isMissing(ordinal))
    .map((ordinal) => ({
      ordinal,
      text: 'text',
      words: [],
      layout: { breaks: [], marks: [], notes: [], headings: [] },
    }));

test.each(numberings)(
  'recognizeNumbering recognizes the verse numbering %s from a complete Bible text',
  (numbering) => {
    expect(recognizeNumbering(textIn(numbering), 'standard').numbering).toBe(numbering);
  },
);

test('recognizeNumbering returns a remark that says how many chapters fit the best and the second-best verse numbering', () => {
  expect(recognizeNumbering(textIn('hebrew'), 'standard')).toEqual({
    numbering: 'hebrew',
    remark: expect.stringMatching(
      /^numbering hebrew \(of 1189 chapters, 1189 end as in hebrew and 1185 as in original\); --numbering changes that$/,
    ),
  });
});

test('recognizeNumbering recognizes the verse numbering of a Bible text that lacks books or verses', () => {
  const isLost = (ordinal: number) => ordinal > 40_000_000 || ordinal % 100 === 7;
  expect(recognizeNumbering(textIn('vulgate', isLost), 'standard').numbering).toBe('vulgate');
  const isNotJonah = (ordinal: number) => Math.floor(ordinal / 1_000_000) !== 32;
  expect(recognizeNumbering(textIn('hebrew', isNotJonah), 'standard').numbering).toBe('hebrew');
});

test('recognizeNumbering assumes the standard verse numbering, and returns a remark, if a Bible text fits no known numbering', () => {
  const isShort = (ordinal: number) => ordinal % 1_000 > 12 && Math.floor(ordinal / 1_000) % 2 === 0;
  expect(recognizeNumbering(textIn('hebrew', isShort), 'standard')).toEqual({
    numbering: 'standard',
    remark: expect.stringMatching(/^no numbering fits \(.*\): standard is assumed, --numbering changes that$/),
  });
  expect(recognizeNumbering(textIn('standard').slice(0, 3), 'standard')).toEqual({
    numbering: 'standard',
    remark: null,
  });
  expect(recognizeNumbering([], 'standard')).toEqual({ numbering: 'standard', remark: null });
});

test('recognizeNumbering prefers the verse numbering that the source names unless another numbering fits the text better', () => {
  const ruth = textIn('standard', (ordinal) => Math.floor(ordinal / 1_000_000) !== 8);
  expect(recognizeNumbering(ruth, 'vulgate').numbering).toBe('vulgate');
  expect(recognizeNumbering(textIn('hebrew'), 'vulgate').numbering).toBe('hebrew');
  expect(recognizeNumbering([], 'synodal')).toEqual({ numbering: 'synodal', remark: null });
});
