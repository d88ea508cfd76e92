import { createRandomChoices, testSeed, textsWithNonlinearTime } from '@lectern/testing';
import { readAttribute, tokenizeMarkup } from './tokens';

/** Returns the tokens as the expression read them that had quadratic time. */
const tokensBefore = (entry: string): string[] =>
  [...entry.matchAll(/<!--[\s\S]*?-->|<(\/?)([\w:.-]+)([^<>]*)>|[^<]+|</g)]
    .map(([whole]) => whole)
    .filter((whole) => !whole.startsWith('<!--'));

/** Returns the tokens as they are written. The texts of this test have no entities. */
const tokensNow = (entry: string): string[] =>
  tokenizeMarkup(entry).map(({ kind, name, text, attributes }) =>
    kind === 'text' ? text : `<${kind === 'close' ? '/' : ''}${name}${attributes}>`,
  );

test('tokenizeMarkup returns the same tokens of random ordinary and damaged markup as an expression that backtracks', () => {
  const { pick } = createRandomChoices(testSeed());
  const pieces = ['<', '!--', '<!--', '-->', 'a', '/', '>', ' ', '-', 'x="y"', '<b>', '</b>', '<c d="e"/>'];
  for (let time = 0; time < 20_000; time += 1) {
    const entry = Array.from({ length: time % 14 }, () => pick(pieces)).join('');
    expect(tokensNow(entry)).toEqual(tokensBefore(entry));
  }
});

const repeated = ['<', '<a', '<a.', '-', '<!--', '<!-- -->', '<a ', '-->', ' ', 'a=', 'a="', "a='", '<a b="c"'].map(
  (piece) => ({
    name: `repeated ${piece}`,
    ofLength: (length: number) => `<a${piece.repeat(Math.ceil(length / piece.length)).slice(0, length - 2)}`,
  }),
);

test.each<[string, (text: string) => unknown]>([
  ['tokenizeMarkup', tokenizeMarkup],
  ['readAttribute', (text) => readAttribute(text, 'id')],
])('the computing time of %s grows linearly with the length of damaged markup', (_, work) => {
  expect(textsWithNonlinearTime(repeated, work)).toEqual([]);
});
