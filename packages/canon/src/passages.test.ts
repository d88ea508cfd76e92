import { kjvShape } from '../fixtures/kjv-shape';
import {
  bookName,
  books,
  formatReference,
  type ReferenceSpan,
  readPassage,
  referenceFailureMessage,
  resolveReference,
  type TranslationShape,
  verseOrdinal,
} from './index';

const english = kjvShape('eng');
const spanish = kjvShape('spa');
/** Returns the status, the normalized reference and the number of verses, or the error message. */
const resolve = (text: string, shape: TranslationShape = english) => {
  const passage = readPassage(text, shape);
  if (passage.kind !== 'resolved') return referenceFailureMessage(passage);
  return `${passage.status} ${passage.reference} = ${passage.verses.length}`;
};
const verses = (text: string, shape: TranslationShape = english) => {
  const passage = readPassage(text, shape);
  return passage.kind === 'resolved'
    ? passage.verses.map(({ book, chapter, verse }) => `${book} ${chapter}:${verse}`)
    : [];
};

test.each([
  ['John 3:16', 'OK John 3:16 = 1'],
  ['John', 'OK John = 879'],
  ['Psalms', 'OK Psalms = 2461'],
  ['Gen 1-2', 'OK Genesis 1-2 = 56'],
  ['Rom 7:25-8:1', 'OK Romans 7:25-8:1 = 2'],
  ['Gen 1:1-Ex 2:3', 'OK Genesis 1:1-Exodus 2:3 = 1558'],
  ['Mal-Matt', 'OK Malachi-Matthew = 1126'],
  ['John 3:16ff', 'OK John 3:16-36 = 21'],
  ['John 3ff', 'OK John 3-21 = 803'],
  ['Gen 49-Ex', 'OK Genesis 49-Exodus 40 = 1272'],
  ['Jude 5', 'OK Jude 1:5 = 1'],
  ['Jude 1', 'OK Jude 1 = 25'],
  ['John 3:1-999999999', 'PARTIAL John 3:1-36 = 36'],
  ['Gen 49-60', 'PARTIAL Genesis 49-50 = 59'],
  ['Heb 13-15', 'PARTIAL Hebrews 13 = 25'],
  ['John 3:0-5', 'PARTIAL John 3:1-5 = 5'],
  ['John 3:16,99', 'PARTIAL John 3:16 = 1'],
  ['Mark 16:2-17:3', 'PARTIAL Mark 16:2-20 = 19'],
  ['Gen 60-Ex 2', 'PARTIAL Exodus 1-2 = 47'],
  ['John 99; Mark 1:1', 'PARTIAL Mark 1:1 = 1'],
  ['John 3:36f', 'PARTIAL John 3:36 = 1'],
  ['Rev 22:20-99', 'PARTIAL Revelation 22:20-21 = 2'],
  ['John 99', 'OUT_OF_RANGE John 99 = 0'],
  ['John 3:999', 'OUT_OF_RANGE John 3:999 = 0'],
  ['John 0', 'OUT_OF_RANGE John 0 = 0'],
  ['John 3:0', 'OUT_OF_RANGE John 3:0 = 0'],
  ['John 5:1000-2000', 'OUT_OF_RANGE John 5:1000-2000 = 0'],
  ['John 98-99', 'OUT_OF_RANGE John 98-99 = 0'],
  ['Psalm 151', 'OUT_OF_RANGE Psalms 151 = 0'],
  ['Jude 2:3', 'OUT_OF_RANGE Jude 2:3 = 0'],
  ['John 99; Mark 99:1', 'OUT_OF_RANGE John 99; Mark 99:1 = 0'],
  ['John 99ff', 'OUT_OF_RANGE John 99ff = 0'],
  ['John 3:99ff', 'OUT_OF_RANGE John 3:99ff = 0'],
  ['John 3:16,16-17,17', 'OK John 3:16,16-17 = 2'],
  ['Gen 1; Gen 1; Gen 1:3', 'OK Genesis 1 = 31'],
  ['Psalms; Genesis 1:1-39', 'PARTIAL Psalms; Genesis 1:1-31 = 2492'],
  [`Psalms${';Ps'.repeat(64)}`, 'OK Psalms = 2461'],
])('readPassage resolves the reference %j to its status, normalized form and number of verses: %s', (text, expected) =>
  expect(resolve(text)).toBe(expected),
);

test.each([
  ['Gen - Rev', 'Reference covers 31102 verses; ask for at most 2500'],
  ['Gen 1 - Rev 22', 'Reference covers 31102 verses; ask for at most 2500'],
  ['Psalms; John 1', 'Reference covers 2512 verses; ask for at most 2500'],
  ['Gen-Deut; Gen; Ex 3', 'Reference covers 5852 verses; ask for at most 2500'],
  ['Tobit 1', "Invalid reference: 'Tobit 1' (book not found: this translation does not have Tobit)"],
  ['John 3:16; foo', "Invalid reference: 'foo' (book not found)"],
  ['x'.repeat(201), 'reference must be 200 characters or fewer'],
])('readPassage rejects the reference %j with the error: %s', (text, error) => expect(resolve(text)).toBe(error));

test('readPassage parses the reference, and formats the normalized reference, in the language of the translation', () => {
  expect(resolve('John 3:16', spanish)).toBe('OK Juan 3:16 = 1');
  expect(resolve('Juan 3:999', spanish)).toBe('OUT_OF_RANGE Juan 3:999 = 0');
  expect(resolve('Gen 1:1-Ex 2:3', spanish)).toBe('OK Génesis 1:1-Éxodo 2:3 = 1558');
  expect(resolve('Gen 1,3', spanish)).toBe('OK Génesis 1:3 = 1');
  expect(resolve('Exodus 1,3', spanish)).toBe('OK Éxodo 1; 3 = 44');
});

test('readPassage returns each verse once, in the order of the reference', () => {
  expect(verses('John 3:18,16,16-18')).toEqual(['JHN 3:18', 'JHN 3:16', 'JHN 3:17']);
  expect(verses('Rev 22:21; Gen 1:1')).toEqual(['REV 22:21', 'GEN 1:1']);
  expect(verses('Rom 7:25-8:1')).toEqual(['ROM 7:25', 'ROM 8:1']);
});

test('readPassage reports OUT_OF_RANGE for a book that the translation lacks, and PARTIAL for a range that includes this book', () => {
  const newTestament = kjvShape('eng', { leaveOut: books.slice(0, 39).map((book) => book.code) });
  expect(resolve('Genesis 1', newTestament)).toBe('OUT_OF_RANGE Genesis 1 = 0');
  expect(resolve('Genesis', newTestament)).toBe('OUT_OF_RANGE Genesis = 0');
  expect(resolve('Mal 4 - Matt 2', newTestament)).toBe('PARTIAL Matthew 1-2 = 48');
  expect(resolve('Mal-Matt', newTestament)).toBe('PARTIAL Matthew = 1071');
});

test('readPassage skips a verse that the translation lacks inside a range, and ends the range before a missing last verse', () => {
  const critical = kjvShape('eng', {
    isMissing: (book, chapter, verse) => book === 'JHN' && chapter === 5 && verse === 4,
  });
  expect(resolve('John 5:3-5', critical)).toBe('OK John 5:3-5 = 2');
  expect(verses('John 5:3-5', critical)).toEqual(['JHN 5:3', 'JHN 5:5']);
  expect(resolve('John 5:4', critical)).toBe('OUT_OF_RANGE John 5:4 = 0');
  expect(resolve('John 5:3-4', critical)).toBe('PARTIAL John 5:3 = 1');
});

test('readPassage looks up the chapters of the Bible only about once, even if the reference repeats the whole Bible many times', () => {
  let calls = 0;
  const counted: TranslationShape = {
    ...english,
    verses: (book, chapter) => ((calls += 1), english.verses(book, chapter)),
  };
  expect(resolve(Array.from({ length: 28 }, () => 'Ge-Rev').join(';'), counted)).toContain('covers 31102 verses');
  expect(calls).toBeLessThan(1_500);
});

/**
 * Creates a generator of random numbers with a fixed seed, so that each run has the same cases. The
 * algorithm is MINSTD: https://en.wikipedia.org/wiki/Lehmer_random_number_generator.
 */
const createDice =
  (seed: number) =>
  (sides: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % sides;
  };

test('readPassage returns the same verses for a reference and for its normalized form', () => {
  const roll = createDice(7);
  for (let round = 0; round < 600; round++) {
    const shape = round % 2 ? spanish : english;
    const spans = Array.from({ length: 1 + roll(4) }, () => randomSpan(roll, shape));
    const first = resolveReference({ kind: 'reference', spans }, shape);
    if (first.kind !== 'resolved' || first.reference.length > 200) continue;
    const again = readPassage(first.reference, shape);
    const ordinals = again.kind === 'resolved' ? again.verses.map(verseOrdinal) : again;
    expect([first.reference, ordinals]).toEqual([first.reference, first.verses.map(verseOrdinal)]);
    expect(again).toMatchObject({ reference: first.reference });
  }
});

function randomSpan(roll: (sides: number) => number, shape: TranslationShape): ReferenceSpan {
  const book = books[roll(3) ? 57 + roll(9) : roll(66)]?.code ?? 'JHN';
  const chapter = 1 + roll(shape.chapterCount(book));
  const verse = 1 + roll(shape.verses(book, chapter).length);
  const span = (from: [number | null, number | null], to: [number | null, number | null]): ReferenceSpan => ({
    start: { book, chapter: from[0], verse: from[1] },
    end: { book, chapter: to[0], verse: to[1] },
  });
  const lastChapter = chapter + roll(shape.chapterCount(book) - chapter + 1);
  const lastVerse = verse + roll(shape.verses(book, chapter).length - verse + 1);
  return (
    [
      span([null, null], [null, null]),
      span([chapter, null], [chapter, null]),
      span([chapter, null], [lastChapter, null]),
      span([chapter, verse], [chapter, verse]),
      span([chapter, verse], [chapter, lastVerse]),
      span([chapter, verse], [Math.max(lastChapter, chapter), lastChapter > chapter ? 1 : lastVerse]),
    ][roll(6)] ?? span([chapter, verse], [chapter, verse])
  );
}

test('readPassage does not change a reference that is already normalized: a book name alone, with chapter 1, or with 1:2', () => {
  for (const shape of [english, spanish]) {
    for (const { code } of books) {
      for (const reference of [
        bookName(code, shape.language),
        `${bookName(code, shape.language)} 1`,
        `${bookName(code, shape.language)} 1:2`,
      ]) {
        expect(readPassage(reference, shape)).toMatchObject({ kind: 'resolved', status: 'OK', reference });
      }
    }
  }
});

test('formatReference returns an empty string for a reference without verse ranges', () => {
  expect(formatReference([], english)).toBe('');
});

test('readPassage never throws an error for a random text', () => {
  const roll = createDice(11);
  const pieces = [
    'John',
    '1 Jn',
    'Jude',
    'Ps',
    'Juan',
    'is',
    'III',
    '3',
    '16',
    '999',
    '0',
    '1000000',
    ':',
    ',',
    ';',
    '-',
    '–',
    '.',
    ' ',
    '&',
    'y',
    'ff',
    'a',
    '(',
    ')',
    '[',
    'v',
    'chapter',
    'title',
    'of',
    'foo',
    '😀',
    '\ud800',
    '\0',
    '\u200f',
    '：',
    'NIV',
    '"',
    '*',
    ' de ',
    '\u0301',
    '\x1f0\x1f',
    '\x1e0\x1e',
    'Ps151',
  ];
  for (let round = 0; round < 600; round++) {
    const text = Array.from({ length: 1 + roll(40) }, () => pieces[roll(pieces.length)])
      .join(roll(2) ? ' ' : '')
      .slice(0, 200);
    expect(['resolved', 'unintelligible', 'too-many']).toContain(readPassage(text, round % 2 ? spanish : english).kind);
  }
});
