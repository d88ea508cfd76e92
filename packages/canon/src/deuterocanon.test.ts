import { kjvShape } from '../fixtures/kjv-shape';
import {
  type BookCode,
  bookName,
  chapterEnds,
  deuterocanonicalBooks,
  findReferences,
  readPassage,
  referenceFailureMessage,
  type TranslationShape,
} from './index';

/** A translation with the deuterocanonical books, numbered as the World English Bible. */
const shapeWith = (language: string, leaveOut: readonly BookCode[] = []): TranslationShape => {
  const common = kjvShape(language);
  const isOther = (book: BookCode) => deuterocanonicalBooks.some(({ code }) => code === book);
  const ends = (book: BookCode) => (leaveOut.includes(book) ? [] : chapterEnds('web', book));
  return {
    language,
    chapterCount: (book) => (isOther(book) ? ends(book).length : common.chapterCount(book)),
    verses: (book, chapter) =>
      isOther(book)
        ? Array.from({ length: ends(book)[chapter - 1] ?? 0 }, (_, index) => index + 1)
        : common.verses(book, chapter),
    bookName: (book) => bookName(book, language),
  };
};
const english = shapeWith('eng');

const read = (text: string, shape = english): string => {
  const passage = readPassage(text, shape);
  return passage.kind === 'resolved'
    ? `${passage.reference} (${passage.verses.length})`
    : referenceFailureMessage(passage);
};

test.each([
  ['Tobit 4:15', 'Tobit 4:15 (1)'],
  ['Tobías 4,15', 'Tobit 4:15 (1)'],
  ['Tobie 4,15', 'Tobit 4:15 (1)'],
  ['Sir 24:1-3; 25:1', 'Sirach 24:1-3,25:1 (4)'],
  ['Ecclesiasticus 24:1', 'Sirach 24:1 (1)'],
  ['Jesus Sirach 24,1', 'Sirach 24:1 (1)'],
  ['1 Makk 2,1', '1 Maccabees 2:1 (1)'],
  ['II Macc 7:9', '2 Maccabees 7:9 (1)'],
  ['2 Macabeos 7,9', '2 Maccabees 7:9 (1)'],
  ['Weisheit 3,1', 'Wisdom of Solomon 3:1 (1)'],
  ['Sagesse 3,1', 'Wisdom of Solomon 3:1 (1)'],
  ['Sapienza 3,1', 'Wisdom of Solomon 3:1 (1)'],
  ['Sabedoria 3,1', 'Wisdom of Solomon 3:1 (1)'],
  ['Esther (Greek) 4:18', 'Greek Esther 4:18 (1)'],
  ['Esther 4:3', 'Esther 4:3 (1)'],
  ['DAG 3:24', 'Greek Daniel 3:24 (1)'],
  ['Susanna 5', 'Susanna 1:5 (1)'],
  ['Letter of Jeremiah 3', 'Letter of Jeremiah 1:3 (1)'],
  ['Jeremiah 3:3', 'Jeremiah 3:3 (1)'],
  ['Psalm 151', 'Psalm 151 1 (7)'],
  ['Psalm 151:2', 'Psalm 151 1:2 (1)'],
  ['Psalm 151 1', 'Psalm 151 1 (7)'],
  ['1 Esdras 2:1', '1 Esdras 2:1 (1)'],
  ['Revelation 22:20-Tobit 1:2', 'Revelation 22:20-Tobit 1:2 (4)'],
  ['John 3:16; Tobit 4:15', 'John 3:16; Tobit 4:15 (2)'],
  ['Tobit 15:1', 'Tobit 15:1 (0)'],
])('readPassage reads the reference %j in a translation with deuterocanonical books as %s', (text, expected) =>
  expect(read(text)).toBe(expected),
);

test.each(deuterocanonicalBooks.map(({ code }) => code))(
  'readPassage finds the first verse of %s by its English and its Spanish name, and returns the same reference',
  (code) => {
    for (const language of ['eng', 'spa']) {
      const reference = `${bookName(code, language)} 1:1`;
      expect(readPassage(reference, shapeWith(language))).toMatchObject({
        kind: 'resolved',
        reference,
        verses: [{ book: code, chapter: 1, verse: 1 }],
      });
    }
  },
);

test('readPassage says that a translation lacks a deuterocanonical book, whether it has other such books or none', () => {
  const message = "Invalid reference: 'Tobit 4:15' (book not found: this translation does not have Tobit)";
  expect(read('Tobit 4:15', kjvShape('eng'))).toBe(message);
  expect(read('Tobit 4:15', shapeWith('eng', ['TOB']))).toBe(message);
});

test('findReferences finds references to deuterocanonical books only for a translation that has them', () => {
  const find = (shape: TranslationShape): string[] => {
    const steps = findReferences('See Tobit 4:15, Sir. 24:1 and John 3:16; the man 3 and the bar 2.', shape);
    let step = steps.next();
    while (step.done !== true) step = steps.next();
    return step.value.kind === 'found' ? step.value.references.map(({ reference }) => reference) : [];
  };
  expect(find(english)).toEqual(['Tobit 4:15', 'Sirach 24:1', 'John 3:16']);
  expect(find(kjvShape('eng'))).toEqual(['John 3:16']);
});
