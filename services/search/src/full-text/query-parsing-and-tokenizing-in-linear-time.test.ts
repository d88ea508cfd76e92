import { generateTexts, testSeed, textsWithNonlinearTime } from '@lectern/testing';
import { canonicalQuery, parseQuery } from './query';
import { searchTokens } from './tokenize-spaced-and-unspaced-scripts';

test.each([
  ['the query parser', (text: string) => canonicalQuery(parseQuery(text))],
  ['the tokenizer of search', searchTokens],
])('the time of %s grows linearly with the length of the text, whatever its characters', (_, work) => {
  expect(textsWithNonlinearTime(generateTexts(testSeed()), work)).toEqual([]);
});
