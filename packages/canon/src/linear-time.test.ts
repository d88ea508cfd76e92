import { generateTexts, itemsOfThisRun, runToEnd, testSeed, textsWithNonlinearTime } from '@lectern/testing';
import {
  countVerses,
  findBook,
  findReferences,
  foldName,
  mayNameChapter,
  parseReference,
  type TranslationShape,
} from './index';

const shape: TranslationShape = {
  language: 'eng',
  chapterCount: () => 50,
  verses: () => [1, 2, 3],
  bookName: (book) => book,
};

const functions: [string, (text: string) => unknown][] = [
  ['findReferences', (text: string) => runToEnd(findReferences(text, shape))],
  ['findReferences in Chinese', (text: string) => runToEnd(findReferences(text, { ...shape, language: 'zho' }))],
  ['parseReference', (text: string) => parseReference(text)],
  ['parseReference in Russian', (text: string) => parseReference(text, 'rus')],
  ['mayNameChapter', (text: string) => mayNameChapter(text, 'eng')],
  ['countVerses', (text: string) => countVerses(text)],
  ['findBook', (text: string) => findBook(text)],
  ['foldName', foldName],
];

// Each run of `npm test` checks half of the functions, to save time. `npm run test:long` checks
// all.
test.each(itemsOfThisRun(functions, 2))(
  'the computing time of %s grows linearly with the length of a random text',
  (_, work) => {
    expect(textsWithNonlinearTime(generateTexts(testSeed()), work)).toEqual([]);
  },
);
