import { generateTexts, testSeed, textsWithNonlinearTime } from '@lectern/testing';
import { foldWord, stemmerFor, tokenize } from './index';

test.each([
  ['tokenize', tokenize],
  ['foldWord', foldWord],
  ['the English stemmer', stemmerFor('eng')],
  ['the Spanish stemmer', stemmerFor('spa')],
])('the time of %s grows linearly with the length of a text of any characters', (_, work) => {
  expect(textsWithNonlinearTime(generateTexts(testSeed()), work)).toEqual([]);
});
