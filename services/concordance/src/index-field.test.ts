import { itemsOfThisRun, useStarted } from '@lectern/testing';
import { functionWords, stemmerFor, verseWords } from '@lectern/words';
import { openConcordanceClient } from '../test-support/concordance-client';
import { scanTranslation } from '../test-support/read-verse-words-from-corpus';
import { memoizeByWord } from './data/words';

interface Entry {
  lemma: string;
  displayForm: string;
  verseCount: number;
  totalOccurrences: number;
}

const document = `query I($translation: String!, $prefix: String, $minOccurrences: Int, $first: Int) {
  concordanceIndex(translation: $translation, prefix: $prefix, minOccurrences: $minOccurrences, first: $first) { lemma displayForm verseCount totalOccurrences }
}`;
const cursorDocument = `query I($translation: String!, $prefix: String, $minOccurrences: Int, $first: Int, $after: String) {
  concordanceIndex(translation: $translation, prefix: $prefix, minOccurrences: $minOccurrences, first: $first, after: $after) { lemma displayForm cursor }
}`;

const client = useStarted(openConcordanceClient);

const execute = (variables: Record<string, unknown>) =>
  client.execute(document, { translation: 'spa-rv1909', ...variables });

async function wordIndex(variables: Record<string, unknown>): Promise<Entry[]> {
  const { data, errors } = await execute(variables);
  expect(errors).toBeUndefined();
  return data?.['concordanceIndex'] as Entry[];
}

test('concordanceIndex with the prefix mis lists the stems that begin with mis in alphabetical order, with their counts', async () => {
  const found = await wordIndex({ prefix: 'mis' });
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

test('the field concordanceIndex ignores case, accents and outer spaces in the argument prefix', async () => {
  expect(await wordIndex({ prefix: ' MÍS ' })).toEqual(await wordIndex({ prefix: 'mis' }));
  const all = await wordIndex({});
  expect(all).toHaveLength(50);
  for (const prefix of [null, '', '  ']) expect(await wordIndex({ prefix })).toEqual(all);
});

test('the field concordanceIndex sorts the Spanish letter ñ between n and o', async () => {
  expect((await wordIndex({ prefix: 'nin', first: 200 })).map(({ lemma }) => lemma)).not.toContain('niñ');
  expect((await wordIndex({ prefix: 'niñ' }))[0]).toMatchObject({ lemma: 'niñ', displayForm: 'niño' });
  const all: string[] = (await wordIndex({ prefix: 'se', first: 200 })).map(({ lemma }) => lemma);
  expect(all.indexOf('señal')).toBeGreaterThan(all.findLastIndex((lemma) => lemma.startsWith('sen')));
  expect(all.indexOf('señal')).toBeLessThan(all.findIndex((lemma) => lemma.startsWith('sep')));
});

const lookUp = async (variables: Record<string, unknown>) => {
  const { data, errors } = await client.execute(cursorDocument, { translation: 'spa-rv1909', ...variables });
  const entries = (data?.['concordanceIndex'] ?? []) as { lemma: string; displayForm: string; cursor: string }[];
  return { entries, error: errors?.[0] };
};

/** Reads all pages of the index. */
async function readAllEntries(variables: Record<string, unknown>): Promise<string[]> {
  const lemmas: string[] = [];
  for (let after = ''; ; ) {
    const { entries, error } = await lookUp({ first: 200, after, ...variables });
    expect(error).toBeUndefined();
    const last = entries.at(-1);
    if (!last) return lemmas;
    lemmas.push(...entries.map(({ lemma }) => lemma));
    after = last.cursor;
  }
}

test('the pages of concordanceIndex together contain every stem except function words once, in alphabetical order', async () => {
  const found = await readAllEntries({});
  const stems = new Set(scanTranslation('spa-rv1909').flatMap(({ words }) => words.map(({ stem }) => stem)));
  const reached = new Set(found);
  expect(reached.size).toBe(found.length);
  const missing = [...stems].filter((stem) => !reached.has(stem));
  expect(found.length + missing.length).toBe(stems.size);
  expect(missing.length).toBeLessThan(300);
  const stemOf = memoizeByWord(stemmerFor('spa', 'distinct'));
  const functionStems = new Set([...functionWords('spa')].flatMap((word) => [word, stemOf(word)]));
  expect(missing.filter((stem) => !functionStems.has(stem))).toEqual([]);
  expect(found).toEqual(found.toSorted(new Intl.Collator('es').compare));
});

test('the pages of concordanceIndex with prefix and minOccurrences contain the same entries as one long page', async () => {
  const whole = await lookUp({ prefix: 'm', minOccurrences: 20, first: 200 });
  expect(await readAllEntries({ prefix: 'm', minOccurrences: 20, first: 3 })).toEqual(
    whole.entries.map(({ lemma }) => lemma),
  );
  const after = whole.entries[4]?.cursor ?? '';
  expect((await lookUp({ prefix: 'm', minOccurrences: 20, first: 1, after })).entries).toEqual([whole.entries[5]]);
  // A cursor contains a stem, so a cursor from a list with one filter is valid with another filter.
  expect((await lookUp({ prefix: 'z', first: 1, after })).entries[0]?.lemma).toMatch(/^z/);
  expect((await lookUp({ prefix: 'a', after })).entries).toEqual([]);
  expect((await lookUp({ after: null })).entries).toEqual((await lookUp({ after: '' })).entries);
});

const cursor = (text: string): string => Buffer.from(text).toString('base64url');

test.each([
  ['text that is not base64', 'not a cursor'],
  ['a stem that the translation lacks', cursor('xyzzy')],
  ['a function word', cursor('de')],
  ['a stem of another translation', cursor('melchizedek')],
  ['the place of a verse', cursor('GEN:1:1')],
  ['an empty stem', '='],
  ['a NUL', cursor('\0')],
  ['bytes that are not UTF-8', '_w'],
  ['5000 characters', 'A'.repeat(5000)],
])('the field concordanceIndex rejects an invalid cursor: %s', async (_, after) => {
  expect((await lookUp({ after })).error).toMatchObject({
    message: 'Invalid cursor',
    extensions: { code: 'BAD_USER_INPUT' },
  });
});

test('the argument minOccurrences of concordanceIndex counts the occurrences of a word and not its verses', async () => {
  const found = await wordIndex({ prefix: 'mistu', minOccurrences: 8 });
  expect(found).toEqual([{ lemma: 'mistur', displayForm: 'mistura', verseCount: 7, totalOccurrences: 8 }]);
  expect(await wordIndex({ prefix: 'mistu', minOccurrences: 9 })).toEqual([]);
  for (const minOccurrences of [null, 0, -5]) expect(await wordIndex({ minOccurrences })).toEqual(await wordIndex({}));
  expect(await wordIndex({ minOccurrences: 2_147_483_647 })).toEqual([]);
});

const translations = [
  ['spa-rv1909', 'spa'],
  ['eng-kjv', 'eng'],
  ['eng-web', 'eng'],
] as const;

test.each(itemsOfThisRun(translations, translations.length))(
  'the field concordanceIndex of %s has the same counts as a scan of every verse',
  async (translation, language) => {
    const stemOf = memoizeByWord(stemmerFor(language, 'distinct'));
    const excluded = functionWords(language);
    const [occurrences, verseCounts] = [new Map<string, number>(), new Map<string, number>()];
    for (const { words } of scanTranslation(translation)) {
      for (const { stem } of words) occurrences.set(stem, (occurrences.get(stem) ?? 0) + 1);
      for (const stem of new Set(words.map((word) => word.stem)))
        verseCounts.set(stem, (verseCounts.get(stem) ?? 0) + 1);
    }
    for (const prefix of ['a', 'm', 'so', 'th', 'de', 'z', '1']) {
      for (const entry of await wordIndex({ translation, prefix, first: 200 })) {
        const { lemma, displayForm } = entry;
        const [token] = verseWords(displayForm, language);
        expect(entry).toMatchObject({
          lemma,
          totalOccurrences: occurrences.get(lemma),
          verseCount: verseCounts.get(lemma),
        });
        expect(stemOf(token?.folded ?? '')).toBe(lemma);
        expect(excluded.has(lemma) || excluded.has(token?.folded ?? '')).toBe(false);
      }
    }
    const [word] = await wordIndex({ translation, prefix: language === 'spa' ? 'justici' : 'right', first: 1 });
    const { data } = await client.execute(
      'query W($t: String!, $w: String!) { concordance(translation: $t, word: $w) { entry { lemma verseCount totalOccurrences } } }',
      { t: translation, w: word?.displayForm },
    );
    expect(data).toEqual({
      concordance: {
        entry: { lemma: word?.lemma, verseCount: word?.verseCount, totalOccurrences: word?.totalOccurrences },
      },
    });
  },
);

test.each(['de', 'que', 'los', 'para', 'sobre'])(
  'the field concordanceIndex leaves out the Spanish function word %s',
  async (word) => {
    expect((await wordIndex({ prefix: word, first: 200 })).map(({ displayForm }) => displayForm)).not.toContain(word);
  },
);

test.each(["'; DROP TABLE stem; --", '%', '_', '*', '\0', 'mis\0', '\u200f', '😀', '\ud83d', 'mis ericordia'])(
  'the field concordanceIndex returns an empty list if no word begins with the argument prefix %j',
  async (prefix) => {
    expect(await wordIndex({ prefix })).toEqual([]);
  },
);

test('the field concordanceIndex rejects an argument prefix of more than 100 characters and an unknown translation', async () => {
  const long = await execute({ prefix: 'a'.repeat(101) });
  expect(long.errors?.[0]).toMatchObject({
    message: 'prefix must be 100 characters or fewer',
    extensions: { code: 'BAD_USER_INPUT' },
  });
  const unknown = await execute({ translation: 'eng-none' });
  expect(unknown).toMatchObject({
    data: { concordanceIndex: null },
    errors: [{ message: "Translation 'eng-none' not found", extensions: { code: 'NOT_FOUND' } }],
  });
});
