import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkTexts, useStarted, withFolder } from '@lectern/testing';
import { openOriginalsClient } from '../../test-support/originals-client';
import { buildSmallLexicons, smallLexicons } from '../../test-support/small-lexicons';

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const client = useStarted(async () => {
  linkTexts(folder);
  await buildSmallLexicons(folder);
  return openOriginalsClient(folder);
});

interface Span {
  start: number;
  length: number;
  kind: string;
  language: string | null;
  entryId: string | null;
  reference: { reference: string } | null;
}

const entry = async <Entry>(id: string, selection: string): Promise<Entry> =>
  (await client.data<{ lexiconEntry: Entry }>(`query ($id: ID!) { lexiconEntry(id: $id) { ${selection} } }`, { id }))
    .lexiconEntry;

/** Writes spans as "KIND text", followed by the language, the link or the reference. */
const described = ({ text, spans }: { text: string; spans: Span[] }): string[] =>
  spans.map(({ start, length, kind, language, entryId, reference }) =>
    [kind, text.slice(start, start + length), language, entryId, reference?.reference].filter(Boolean).join(' '),
  );
const spanFields = 'spans { start length kind language entryId reference { reference } }';

const idsOfNumbers = async (...numbers: string[]): Promise<(string[] | undefined)[]> => {
  const { entries } = await client.data<{ entries: ({ lexicons: { id: string }[] } | null)[] }>(
    'query ($numbers: [_Any!]!) { entries: _entities(representations: $numbers) { ... on StrongsEntry { lexicons { id } } } }',
    { numbers: numbers.map((number) => ({ __typename: 'StrongsEntry', number })) },
  );
  return entries.map((each) => each?.lexicons.map(({ id }) => id));
};

test('an entry of the lexicon Brown-Driver-Briggs has a tree of senses with numbers, stems and glosses', async () => {
  expect(await entry('bdb:r.aa.ab', 'senses { level number stem gloss text }')).toEqual({
    senses: [
      { level: 0, number: null, stem: 'Qal', gloss: null, text: '[Qal].' },
      { level: 1, number: '1', stem: 'Qal', gloss: 'beat down', text: 'beat down Jo 3:1' },
      { level: 2, number: '1.b', stem: 'Qal', gloss: null, text: 'of peoples, Is 45:1 99:1' },
      { level: 0, number: null, stem: 'Hiph', gloss: 'overlay', text: 'Hiph. overlay' },
    ],
  });
});

test('an entry of the lexicon Brown-Driver-Briggs has a headword, transliteration, part of speech, root and related words', async () => {
  const fields =
    'headword homograph transliteration partOfSpeech language gloss text numbers { number letter strongs { number } } derivation { text spans { kind entryId } } related { id } lexicon { id licence { code } }';
  expect(await entry('bdb:r.aa.ab', fields)).toEqual({
    headword: 'רָדַד',
    homograph: 'II',
    transliteration: 'rādad',
    partOfSpeech: 'verb',
    language: 'hbo',
    gloss: 'spread',
    text: '[רָדַד] vb. spread & beat',
    numbers: [{ number: 'H7286', letter: 'a', strongs: { number: 'H7286' } }],
    derivation: { text: 'רדד', spans: [{ kind: 'LINK', entryId: 'bdb:r.aa.aa' }] },
    related: [{ id: 'bdb:r.aa.aa' }],
    lexicon: { id: 'bdb', licence: { code: 'CC-BY-4.0' } },
  });
  expect(await entry('bdb:r.aa.aa', 'text related { id }')).toEqual({
    text: 'רדד (cf. Lag)',
    related: [{ id: 'bdb:r.aa.ab' }, { id: 'bdb:r.aa.ac' }],
  });
  expect(await entry('bdb:xr.aa.aa', 'partOfSpeech language transliteration gloss')).toEqual({
    partOfSpeech: 'proper noun masculine',
    language: 'arc',
    transliteration: null,
    gloss: null,
  });
});

test('a reference in the lexicon Brown-Driver-Briggs is converted from Hebrew to King James verse numbers', async () => {
  const { senses } = await entry<{ senses: { text: string; spans: Span[] }[] }>(
    'bdb:r.aa.ab',
    `senses { text ${spanFields} }`,
  );
  expect(senses.slice(1, 3).map(described)).toEqual([
    ['GLOSS beat down', 'REFERENCE Jo 3:1 Joel 2:28'],
    ['REFERENCE Is 45:1 Isaiah 45:1'],
  ]);
});

test('an entry of the lexicon Brown-Driver-Briggs marks no span of the text for a foreign word that the source file leaves out', async () => {
  expect(described(await entry('bdb:b.aa.aa', `text ${spanFields}`))).toEqual([
    'WORD בְּ hbo',
    'GRAMMAR prep.',
    'GLOSS in',
    'WORD ἐν grc',
  ]);
});

test("an entry of Strong's Hebrew dictionary has a derivation with links, a meaning and the King James translations", async () => {
  const fields = `headword partOfSpeech gloss text derivation { text ${spanFields} } senses { text gloss } related { id }`;
  const found = await entry<Record<string, never> & { derivation: { text: string; spans: Span[] } }>(
    'strongs-hebrew:H7286',
    fields,
  );
  expect(found).toMatchObject({
    headword: 'רָדַד',
    partOfSpeech: 'verb or noun masculine',
    gloss: 'tread',
    text: 'spend, spread.',
    senses: [{ text: 'to tread in pieces', gloss: 'tread' }],
    related: [{ id: 'strongs-hebrew:H7287' }],
  });
  expect(described(found.derivation)).toEqual(['LINK 7287 strongs-hebrew:H7287']);
  expect(await entry('strongs-hebrew:H7287', 'language gloss derivation { text } senses { text }')).toEqual({
    language: 'arc',
    gloss: 'rule',
    derivation: null,
    senses: [],
  });
});

test('an entry of the lexicon Abbott-Smith has forms, a derivation with Hebrew words, remarks and references', async () => {
  const found = await entry<{ derivation: { text: string; spans: Span[] }; senses: { text: string; spans: Span[] }[] }>(
    'abbott-smith:φιλία',
    `headword gloss partOfSpeech language text related { id } derivation { text ${spanFields} } senses { number text ${spanFields} }`,
  );
  expect(found).toMatchObject({
    headword: 'φιλία',
    gloss: 'friendship',
    partOfSpeech: 'noun feminine',
    language: 'grc',
    text: 'φιλία, -ας, ἡ\nSYN.: φίλος, this.',
    related: [{ id: 'abbott-smith:φίλος' }, { id: 'abbott-smith:φιλία_2' }],
    senses: [{ number: null }, { number: 'a', text: 'one' }, { number: 'b', text: 'two' }],
  });
  expect(found.derivation.text).toBe('(< φίλος), [in LXX for רָדַד;]');
  expect(described(found.derivation)).toEqual([
    'LINK φίλος grc abbott-smith:φίλος',
    'LINK רָדַד hbo strongs-hebrew:H7286',
  ]);
  expect(found.senses.map(described)[0]).toEqual([
    'GLOSS friendship',
    'REFERENCE Ja 4:4 James 4:4',
    'REFERENCE Jl 3:1, 2 Joel 3:1-2',
  ]);
});

test("the field StrongsEntry.lexicons lists all lexicon entries of a Strong's number, and none for an unused number", async () => {
  expect(await idsOfNumbers('H7286', 'G5373', 'G5384', 'G2717', 'H9999', 'x'.repeat(300))).toEqual([
    ['bdb:r.aa.ab', 'bdb:r.aa.ac', 'strongs-hebrew:H7286'],
    ['abbott-smith:φιλία', 'abbott-smith:φιλία_2'],
    [],
    [],
    [],
    [],
  ]);
});

test("a lexicon entry without a known Strong's number has an empty list of numbers", async () => {
  for (const id of ['abbott-smith:φίλος', 'abbott-smith:φιλύρα', 'bdb:b.aa.aa'])
    expect([id, await entry(id, 'numbers { number } occurrences { totalCount byBook { count } }')]).toEqual([
      id,
      { numbers: [], occurrences: { totalCount: 0, byBook: [] } },
    ]);
});

test('two entries of the lexicon Abbott-Smith with the same spelling have different ids', async () => {
  expect(await entry('abbott-smith:φιλύρα_2', 'headword partOfSpeech')).toEqual({
    headword: 'φιλύρα',
    partOfSpeech: 'adverb',
  });
  expect(await entry('abbott-smith:φιλία_2', 'headword homograph')).toEqual({ headword: 'φιλία', homograph: '2' });
  expect((await client.error('{ lexiconEntry(id: "abbott-smith:φέρω") { id } }'))[1]).toBe('NOT_FOUND');
});

const unknownIds = ['bdb:z.zz.zz', '', 'abbott-smith:', 'x'.repeat(300), "' OR 1=1 --"];
test.each(unknownIds.map((id) => [id.slice(0, 20), id]))(
  'the field lexiconEntry rejects the unknown id %j with NOT_FOUND',
  async (_, id = '') => {
    expect(await client.error('query ($id: ID!) { lexiconEntry(id: $id) { id } }', { id })).toEqual([
      `Lexicon entry '${id.slice(0, 200)}' not found`,
      'NOT_FOUND',
    ]);
  },
);

test('the field LexiconReference.verses returns verses of the requested translation, and fails for an unknown translation', async () => {
  const query = (argument: string): string =>
    `{ lexiconEntry(id: "abbott-smith:φιλία") { senses { spans { reference { reference(language: "spa") bookId verseCount verses${argument} { id } } } } } }`;
  const { lexiconEntry } = await client.data<{
    lexiconEntry: { senses: { spans: { reference: Record<string, unknown> | null }[] }[] };
  }>(query('(translation: "eng-kjv", first: 1)'));
  expect(lexiconEntry.senses[0]?.spans.at(-1)?.reference).toEqual({
    reference: 'Joel 3:1-2',
    bookId: 'JOL',
    verseCount: 2,
    verses: [{ id: Buffer.from('v1:eng-kjv.JOL.3.1').toString('base64url') }],
  });
  expect(await client.error(query('(translation: "eng-none")'))).toEqual([
    "Translation 'eng-none' not found",
    'NOT_FOUND',
  ]);
});

test('a request for more than 500 lexicon entries is rejected', async () => {
  const aliases = Array.from({ length: 501 }, (_, index) => `e${index}: lexiconEntry(id: "bdb:b.aa.aa") { id }`);
  expect(await client.error(`{ ${aliases.join(' ')} }`)).toEqual([
    'One request gives at most 500 lexicon entries; ask for less at once',
    'BAD_USER_INPUT',
  ]);
});

test('if the lexicon entries of a response have more than 150,000 values, each field beyond the limit has an error', async () => {
  const fields = Array.from({ length: 50 }, (_, index) => `f${index}: start`).join(' ');
  const query = (count: number): string =>
    `{ ${Array.from({ length: count }, (_, index) => `e${index}: lexiconEntry(id: "bdb:r.aa.ad") { spans { ${fields} } }`).join(' ')} }`;
  await client.data(query(4));
  const [message, code] = await client.error(query(5));
  expect([message, code]).toEqual([expect.stringContaining('150000 values'), 'BAD_USER_INPUT']);
});

const bdbFile = 'hebrewlexicon/BrownDriverBriggs.xml';

test.each([
  [
    'a lexicon with a truncated file',
    { ...smallLexicons, [bdbFile]: (smallLexicons[bdbFile] ?? '').slice(0, 900) },
    /^warning: Brown, Driver and Briggs is not used: .*BrownDriverBriggs.xml, line \d+, column \d+: /,
    [[], 'strongs-hebrew:H7286', 'abbott-smith:φιλία'],
  ],
  [
    'an older lexicon package without PartsOfSpeech.xml',
    Object.fromEntries(Object.entries(smallLexicons).filter(([name]) => !name.endsWith('PartsOfSpeech.xml'))),
    /^warning: Strong's Hebrew dictionary is not used: ENOENT.*PartsOfSpeech.xml/,
    ['bdb:r.aa.ab', [], 'abbott-smith:φιλία'],
  ],
  [
    'the missing index of Brown-Driver-Briggs',
    Object.fromEntries(Object.entries(smallLexicons).filter(([name]) => !name.endsWith('LexicalIndex.xml'))),
    /^warning: the index of Brown, Driver and Briggs is not used: ENOENT.*LexicalIndex.xml/,
    [[], 'strongs-hebrew:H7286', 'abbott-smith:φιλία'],
  ],
  [
    'the missing Hebrew text',
    Object.fromEntries(Object.entries(smallLexicons).filter(([name]) => !name.startsWith('morphhb'))),
    /^warning: no morphhb, /,
    ['bdb:r.aa.ab', 'strongs-hebrew:H7286', 'abbott-smith:φιλία'],
  ],
])('the lexicon build warns about %s, and still builds the other lexicons', async (_, files, warning, expected) => {
  await withFolder(async (other) => {
    linkTexts(other);
    const { isBuilt, lines } = await buildSmallLexicons(other, files);
    expect([isBuilt, lines.filter((line) => warning.test(line)).length]).toEqual([true, 1]);
    const small = openOriginalsClient(other);
    const ids = ['bdb:r.aa.ab', 'strongs-hebrew:H7286', 'abbott-smith:φιλία'];
    const found = await Promise.all(
      ids.map(async (id) => {
        const { data } = await small.execute('query ($id: ID!) { lexiconEntry(id: $id) { id } }', { id });
        return (data?.['lexiconEntry'] as { id: string } | null)?.id ?? [];
      }),
    );
    expect(found).toEqual(expected);
    await small.close();
  });
});
