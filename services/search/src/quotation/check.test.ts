import { useStarted } from '@lectern/testing';
import { openSearchClient } from '../../test-support/search-client';

const client = useStarted(openSearchClient);

interface Check {
  verdict: string;
  translation: { identifier: string };
  verses: { reference: string }[];
  differences: { bible: string; quotation: string }[];
  saying: { status: string; nearest: { reference: string }[] } | null;
}

const document = `query($text: String!, $reference: String, $translation: String) {
  checkQuotation(text: $text, reference: $reference, translation: $translation) {
    verdict translation { identifier } verses { reference } differences { bible quotation } saying { status nearest(first: 1) { reference } }
  }
}`;

async function check(args: { text: string; reference?: string; translation?: string }) {
  const { data, errors } = await client.execute(document, args);
  return { check: data?.['checkQuotation'] as Check | undefined, error: errors?.[0]?.message };
}

const translation = 'eng-kjv';

test.each<[string, { text: string; reference?: string; translation?: string }, object]>([
  [
    'EXACT',
    { text: 'the LORD is my shepherd', reference: 'Psalm 23', translation },
    { verses: [{ reference: 'Psalms 23:1' }] },
  ],
  [
    'ALTERED',
    { text: 'The LORD is my guide; I shall not want', translation },
    { differences: [{ bible: 'shepherd', quotation: 'guide' }] },
  ],
  ['OTHER_PLACE', { text: 'The LORD is my shepherd; I shall not want', reference: 'John 3:16', translation }, {}],
  [
    'OTHER_TRANSLATION',
    { text: 'Jehová es mi pastor; nada me faltará' },
    { translation: { identifier: 'spa-rv1909' }, verses: [{ reference: 'Salmos 23:1' }] },
  ],
  [
    'SAYING_NOT_IN_BIBLE',
    { text: 'Cleanliness is next to godliness' },
    { verses: [], saying: { status: 'NOT_IN_BIBLE', nearest: [{ reference: 'Psalms 24:3' }] } },
  ],
  ['NOT_FOUND', { text: 'the quick brown fox jumps over the lazy dog' }, { verses: [], saying: null }],
])('checkQuotation returns the verdict %s for a quotation', async (verdict, args, expected) => {
  expect((await check(args)).check).toMatchObject({ verdict, ...expected });
});

test('checkQuotation finds a quotation of many verses of the requested translation', async () => {
  const { data } = await client.execute(
    '{ searchVerses(query: "Psalm 23", translation: "eng-kjv") { edges { node { text } } } }',
  );
  const psalm = data?.['searchVerses'] as { edges: { node: { text: string } }[] } | undefined;
  const text = (psalm?.edges ?? []).map(({ node }) => node.text).join(' ');
  const found = (await check({ text, translation })).check;
  expect([found?.verdict, found?.verses.length]).toEqual(['EXACT', 6]);
});

test.each([
  ['a blank text', { text: ' \n' }, 'text must not be blank'],
  ['a text of 2,001 characters', { text: 'x'.repeat(2_001) }, 'text must be 2000 characters or fewer'],
  ['a reference of 201 characters', { text: 'love', reference: 'x'.repeat(201) }, 'reference must be 200'],
  ['a reference that names no verse', { text: 'love', reference: 'Hezekiah 3:1' }, 'reference names no verse'],
  ['an unknown translation', { text: 'love', translation: 'eng-none' }, 'eng-none'],
])('checkQuotation rejects %s', async (_, args, message) => {
  expect((await check(args)).error).toContain(message);
});

test.each(['?!', '😀', '- - OR', '"unclosed', '\u0000\ud800', 'בְּרֵאשִׁית hello', 'word '.repeat(400)])(
  'checkQuotation returns a verdict for the unusual text %j',
  async (text) => {
    expect((await check({ text })).check?.verdict).toMatch(/^[A-Z_]+$/);
  },
);
