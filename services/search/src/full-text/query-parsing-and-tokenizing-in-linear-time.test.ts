import { generateTexts, testSeed, textsWithNonlinearTime } from '@lectern/testing';
import { canonicalQuery, parseQuery, searchTokens } from './query';

test.each([
  ['the query parser', (text: string) => canonicalQuery(parseQuery(text))],
  ['the tokenizer of search', searchTokens],
])('the time of %s grows linearly with the length of the text, whatever its characters', (_, work) => {
  expect(textsWithNonlinearTime(generateTexts(testSeed()), work)).toEqual([]);
});
