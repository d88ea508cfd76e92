import { generateTexts, testSeed, textsWithNonlinearTime, useStarted } from '@lectern/testing';
import { openSearchClient } from '../../test-support/search-client';
import { canonicalQuery, parseQuery, searchTokens } from './query';

const client = useStarted(openSearchClient);

const total = async (query: string, translation = 'eng-web'): Promise<number> =>
  (await client.page({ query, translation, first: 1 })).totalCount;

describe('queries with special characters', () => {
  test.each([
    ['"', ''],
    ['""', ''],
    ['"""', ''],
    ['*', ''],
    ['-', ''],
    ['^', ''],
    ['()', ''],
    ['{}', ''],
    [':', ''],
    ['%', ''],
    ['_', ''],
    ["'", ''],
    ['\\', ''],
    ['--', ''],
    [';', ''],
    ['/* */', ''],
    ['god AND', 'god and'],
    ['AND', 'and'],
    ['OR', 'or'],
    ['NOT god', 'not god'],
    ['NEAR(god lord, 2)', 'near god lord 2'],
    ['NEAR(', 'near'],
    ['-god', 'god'],
    ['+god', 'god'],
    ['^god', 'god'],
    ['*god', 'god'],
    ['god**', 'god'],
    ['(god', 'god'],
    ['god)', 'god'],
    ['{exact stem} : god', 'exact stem god'],
    ['exact:god', 'exact god'],
    ['col:x', 'col x'],
    ['stem : "god"', 'stem "god"'],
    ['god" OR "lord', 'god " or " lord'],
    ["god' or 1=1 --", 'god or 1 1'],
    ['god; DROP TABLE verse', 'god drop table verse'],
    ['god\u0000lord', 'god lord'],
    ['\u0000', ''],
    ['god\u200b', 'god'],
    ['\u202egod\u202c', 'god'],
    ['god\ufeff lord', 'god lord'],
    ['god\ud800', 'god'],
    ['\udc00god', 'god'],
    ['god 😀', 'god'],
    ['god 👨‍👩‍👧', 'god'],
    ['god\r\nlord\tjesus', 'god lord jesus'],
    ['ｇｏｄ', 'god'],
    ['GOD', 'god'],
    ['g\u0301o\u0301d', 'god'],
    ['"god', 'god'],
    ['god"', 'god'],
  ])(
    'searchVerses reads special characters in a query as plain text: it finds as many verses for %j as for %j',
    async (hostile, plain) => {
      expect(await total(hostile)).toBe(plain === '' ? 0 : await total(plain));
    },
  );

  test('searchVerses accepts every printable ASCII character after a quote, after a word and before a phrase', async () => {
    for (let code = 0x20; code < 0x7f; code += 1) {
      const character = String.fromCharCode(code);
      for (const query of [`"${character}`, `god${character}`, `shepherd ${character}"lord"`]) {
        expect((await client.page({ query, first: 1 })).totalCount).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test.each([
    'ﷺ',
    '⒈ god',
    '㎏',
    '½',
    '№5',
    'ǆ',
    'ßß',
    'İstanbul',
    'ﬁsh',
    '①',
    'Ⅷ',
    '̀',
    'ก',
    '神',
    '\u{2f800}',
    '\u{1d400}',
  ])('searchVerses accepts a query with the unusual characters %p without an error', async (query) => {
    for (const translation of ['eng-web', 'spa-rv1909'])
      expect((await client.page({ query, translation })).totalCount).toBeGreaterThanOrEqual(0);
  });

  test('searchVerses finds nothing for a query in another script than the translation', async () => {
    for (const query of ['Θεός', 'אלהים', 'Бог', '神愛世人', 'الله', 'พระเจ้า', 'God Θεός'])
      expect(await total(query)).toBe(0);
  });

  test('searchVerses accepts random characters as a query without an error', async () => {
    let state = 7;
    const random = (below: number): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    const alphabet = [
      '"',
      '*',
      ' ',
      '(',
      ')',
      ':',
      '-',
      '^',
      'a',
      'god',
      'ñ',
      'AND',
      '\u0000',
      '\ud83d',
      '\ude00',
      '\u0301',
      '«',
      '»',
      '“',
      '{',
      '+',
      '.',
      '神',
      'ß',
      '\u200f',
      "'",
    ];
    for (let round = 0; round < 300; round += 1) {
      const query = `shepherd${Array.from({ length: random(12) }, () => alphabet[random(alphabet.length)]).join('')}`;
      const { totalCount, edges } = await client.page({
        query,
        translation: round % 2 === 0 ? 'eng-web' : 'spa-rv1909',
        first: 1,
      });
      expect(edges).toHaveLength(Math.min(totalCount, 1));
    }
  });
});

test.each(
  [
    'a b c d e f g h i j k l m n o p q r s t u v w x y z',
    'a '.repeat(100),
    'the and of to in that i he it for',
    '"the" '.repeat(33),
    'ñ '.repeat(100),
    'q'.repeat(200),
  ].map((query) => [query.slice(0, 30), query]),
)('searchVerses accepts a query that begins with %j without an error', async (_, query = '') => {
  for (const translation of ['eng-kjv', 'spa-rv1909']) {
    const { totalCount, edges } = await client.page({ query, translation });
    expect(edges).toHaveLength(Math.min(totalCount, 25));
  }
});

test.each([
  ['the query parser', (text: string) => canonicalQuery(parseQuery(text))],
  ['the tokenizer of search', searchTokens],
])('the computing time of %s grows linearly with the length of a random text', (_, work) => {
  expect(textsWithNonlinearTime(generateTexts(testSeed()), work)).toEqual([]);
});
