import { openCorpus } from '@lectern/corpus';
import type { Execute, SubgraphResponse } from '@lectern/subgraph';
import { corpusFile } from '@lectern/testing';
import { functionWords, stemmerFor, tokenize } from '@lectern/words';
import { buildingMs, openReal } from '../test-support/concordance-client';

interface Entry {
  lemma: string;
  displayForm: string;
  verseCount: number;
  totalOccurrences: number;
}

const query = `query I($translation: String!, $prefix: String, $minOccurrences: Int, $first: Int) {
  concordanceIndex(translation: $translation, prefix: $prefix, minOccurrences: $minOccurrences, first: $first) { lemma displayForm verseCount totalOccurrences }
}`;

let ask: Execute;
let close: () => void;
beforeAll(async () => {
  ({ ask, close } = await openReal());
}, buildingMs);
afterAll(() => close());

const raw = async (variables: Record<string, unknown>): Promise<SubgraphResponse> =>
  ask({ query, variables: { translation: 'spa-rv1909', ...variables } });

async function index(variables: Record<string, unknown>): Promise<Entry[]> {
  const { data, errors } = await raw(variables);
  expect(errors).toBeUndefined();
  return data?.['concordanceIndex'] as Entry[];
}

test('under mis the Reina-Valera has Misael 8 times, Misam 2, Miseal 2, and goes on alphabetically', async () => {
  const found = await index({ prefix: 'mis' });
  expect(found.slice(0, 5).map(({ lemma, totalOccurrences }) => [lemma, totalOccurrences])).toEqual([
    ['misael', 8],
    ['misam', 2],
    ['miseal', 2],
    ['miser', 15],
    ['miseri', 6],
  ]);
  expect(found.map(({ lemma }) => lemma)).toEqual(found.map(({ lemma }) => lemma).toSorted());
  expect(found).toContainEqual({
    lemma: 'misericordi',
    displayForm: 'misericordia',
    verseCount: 398,
    totalOccurrences: 424,
  });
  expect(found[0]).toEqual({ lemma: 'misael', displayForm: 'Misael', verseCount: 8, totalOccurrences: 8 });
});

test('the prefix is folded: ` MÍS ` is mis; a blank one is none', async () => {
  expect(await index({ prefix: ' MÍS ' })).toEqual(await index({ prefix: 'mis' }));
  const all = await index({});
  expect(all).toHaveLength(50);
  for (const prefix of [null, '', '  ']) expect(await index({ prefix })).toEqual(all);
});

test('ñ stands between n and o, and is no n', async () => {
  expect((await index({ prefix: 'nin', first: 200 })).map(({ lemma }) => lemma)).not.toContain('niñ');
  expect((await index({ prefix: 'niñ' }))[0]).toMatchObject({ lemma: 'niñ', displayForm: 'niño' });
  const all: string[] = (await index({ prefix: 'se', first: 200 })).map(({ lemma }) => lemma);
  expect(all.indexOf('señal')).toBeGreaterThan(all.findLastIndex((lemma) => lemma.startsWith('sen')));
  expect(all.indexOf('señal')).toBeLessThan(all.findIndex((lemma) => lemma.startsWith('sep')));
});

test.each([
  [0, 1],
  [-1, 1],
  [null, 50],
  [200, 200],
  [201, 200],
  [2_147_483_647, 200],
])('first: %p gives %i', async (first, count) => {
  expect(await index({ first })).toHaveLength(count);
});

test('minOccurrences counts words, not verses', async () => {
  const found = await index({ prefix: 'mistu', minOccurrences: 8 });
  expect(found).toEqual([{ lemma: 'mistur', displayForm: 'mistura', verseCount: 7, totalOccurrences: 8 }]);
  expect(await index({ prefix: 'mistu', minOccurrences: 9 })).toEqual([]);
  for (const minOccurrences of [null, 0, -5]) expect(await index({ minOccurrences })).toEqual(await index({}));
  expect(await index({ minOccurrences: 2_147_483_647 })).toEqual([]);
});

test.each([
  ['spa-rv1909', 'spa'],
  ['eng-kjv', 'eng'],
  ['eng-web', 'eng'],
])(
  'in %s each word that is shown counts what reading every verse counts, and none is a function word',
  async (translation, language) => {
    const corpus = openCorpus(corpusFile);
    const stem = stemmerFor(language);
    const left = functionWords(language);
    const expected = new Map<string, number>();
    const forms = new Map<string, number>();
    for (const { text } of corpus.eachVerse(translation)) {
      for (const { folded } of tokenize(text)) {
        expected.set(stem(folded), (expected.get(stem(folded)) ?? 0) + 1);
        forms.set(folded, (forms.get(folded) ?? 0) + 1);
      }
    }
    corpus.close();
    for (const prefix of ['a', 'm', 'so', 'th', 'de', 'z', '1']) {
      for (const { lemma, displayForm, totalOccurrences } of await index({ translation, prefix, first: 200 })) {
        const [token] = tokenize(displayForm);
        expect([lemma, totalOccurrences]).toEqual([lemma, expected.get(lemma)]);
        expect(stem(token?.folded ?? '')).toBe(lemma);
        expect(left.has(lemma) || left.has(token?.folded ?? '')).toBe(false);
      }
    }
    const [word] = await index({ translation, prefix: language === 'spa' ? 'justici' : 'right', first: 1 });
    const { data } = await ask({
      query:
        'query W($t: String!, $w: String!) { concordance(translation: $t, word: $w) { entry { lemma verseCount totalOccurrences } } }',
      variables: { t: translation, w: word?.displayForm },
    });
    expect(data).toEqual({
      concordance: {
        entry: { lemma: word?.lemma, verseCount: word?.verseCount, totalOccurrences: word?.totalOccurrences },
      },
    });
  },
  60_000,
);

test.each(['de', 'que', 'los', 'para', 'sobre'])('the function word %s is left out', async (word) => {
  expect((await index({ prefix: word, first: 200 })).map(({ displayForm }) => displayForm)).not.toContain(word);
});

test.each(["'; DROP TABLE stem; --", '%', '_', '*', '\0', 'mis\0', '\u200f', '😀', '\ud83d', 'mis ericordia'])(
  'the prefix %j begins no stem',
  async (prefix) => {
    expect(await index({ prefix })).toEqual([]);
  },
);

test('a prefix has at most 100 characters, and the translation must exist', async () => {
  const long = await raw({ prefix: 'a'.repeat(101) });
  expect(long.errors?.[0]).toMatchObject({
    message: 'prefix must be 100 characters or fewer',
    extensions: { code: 'BAD_USER_INPUT' },
  });
  const unknown = await raw({ translation: 'eng-none' });
  expect(unknown).toMatchObject({
    data: { concordanceIndex: null },
    errors: [{ message: "Translation 'eng-none' not found", extensions: { code: 'NOT_FOUND' } }],
  });
});
