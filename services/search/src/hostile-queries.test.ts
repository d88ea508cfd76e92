import { join } from 'node:path';
import { corpusFile, repositoryRoot } from '@lectern/testing';
import type { OpenSearch } from '../test-support/search-client';
import { buildingMs, openSearch } from '../test-support/search-client';

let opened: OpenSearch;

beforeAll(async () => {
  opened = await openSearch({ corpusFile, searchFile: join(repositoryRoot, 'data', 'search.sqlite') });
}, buildingMs);

afterAll(() => opened.close());

const total = async (query: string, translation = 'eng-web'): Promise<number> =>
  (await opened.page({ query, translation, first: 1 })).totalCount;

describe('what looks like a language of its own is words or nothing', () => {
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
    ['god OR lord', 'god or lord'],
    ['NEAR(god lord, 2)', 'near god lord 2'],
    ['NEAR(', 'near'],
    ['-god', 'god'],
    ['+god', 'god'],
    ['^god', 'god'],
    ['god*', 'god'],
    ['*god', 'god'],
    ['god**', 'god'],
    ['(god', 'god'],
    ['god)', 'god'],
    ['{exact stem} : god', 'exact stem god'],
    ['exact:god', 'exact god'],
    ['col:x', 'col x'],
    ['stem : "god"', 'stem "god"'],
    ['god" OR "lord', 'god " or " lord'],
    ["god' OR 1=1 --", 'god or 1 1'],
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
  ])('%j is %j', async (hostile, plain) => {
    expect(await total(hostile)).toBe(plain === '' ? 0 : await total(plain));
  });

  test('every printable character, and every pair with a quote, alone and after a word', async () => {
    for (let code = 0x20; code < 0x7f; code += 1) {
      const character = String.fromCharCode(code);
      for (const query of [`"${character}`, `god${character}`, `shepherd ${character}"lord"`]) {
        expect((await opened.page({ query, first: 1 })).totalCount).toBeGreaterThanOrEqual(0);
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
  ])('letters that unfold into others are no fault: %p', async (query) => {
    for (const translation of ['eng-web', 'spa-rv1909'])
      expect((await opened.page({ query, translation })).totalCount).toBeGreaterThanOrEqual(0);
  });

  test('words of another script find nothing, and a word of it beside a known one leaves nothing', async () => {
    for (const query of ['Θεός', 'אלהים', 'Бог', '神愛世人', 'الله', 'พระเจ้า', 'God Θεός'])
      expect(await total(query)).toBe(0);
  });

  test('three hundred texts of random characters', async () => {
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
      const { totalCount, edges } = await opened.page({
        query,
        translation: round % 2 === 0 ? 'eng-web' : 'spa-rv1909',
        first: 1,
      });
      expect(edges).toHaveLength(Math.min(totalCount, 1));
    }
  }, 60_000);
});

test.each([
  'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  'a '.repeat(100),
  'the and of to in that i he it for',
  '"the" '.repeat(33),
  'ñ '.repeat(100),
  'q'.repeat(200),
])('a query of many or of common words is answered like any other: %j', async (query) => {
  for (const translation of ['eng-kjv', 'spa-rv1909']) {
    const { totalCount, edges } = await opened.page({ query, translation });
    expect(edges).toHaveLength(Math.min(totalCount, 25));
  }
});
