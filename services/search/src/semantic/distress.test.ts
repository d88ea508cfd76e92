import { useStarted } from '@lectern/testing';
import { ensureSemanticFiles, openSemanticClient, type SemanticClient } from '../../test-support/semantic-client';

const client = useStarted(async () => {
  await ensureSemanticFiles();
  return openSemanticClient();
});

interface Found {
  totalCount: number;
  understood: { kind: string; need: string | null } | null;
  edges: { matchedBy: string[] }[];
}

/** Searches in the mode WORDS, which needs no model for the verses. */
async function searchWords(query: string, translation: string, on: SemanticClient = client): Promise<Found> {
  const { data, errors } = await on.execute(
    'query($query: String!, $translation: String) { searchVerses(query: $query, translation: $translation, first: 3) { totalCount understood { kind need } edges { matchedBy } } }',
    { query, translation },
  );
  if (errors) throw new Error(errors[0]?.message);
  return data?.['searchVerses'] as Found;
}

test.each([
  ['we buried our son this morning', 'eng-web', 'CHILD_DEATH'],
  ['mi hijo murió en un accidente y no encuentro consuelo', 'spa-rv1909', 'CHILD_DEATH'],
  ['I feel like giving up on everything', 'eng-kjv', 'EXHAUSTION'],
])('searchVerses with mode: WORDS recognizes by meaning that "%s" is distress', async (query, translation, need) => {
  const { understood, edges } = await searchWords(query, translation);
  expect(understood).toEqual({ kind: 'DISTRESS', need });
  expect(edges.map(({ matchedBy }) => matchedBy[0])).toEqual(Array(3).fill('CARE'));
});

test.each([
  ['my shepherd', 'eng-web'],
  ['I am weary with my groaning', 'eng-kjv'],
  ['Jehová es mi pastor', 'spa-rv1909'],
  ["verse for my daughter's wedding", 'eng-web'],
])('searchVerses with mode: WORDS understands "%s" as words, although a person speaks', async (query, translation) => {
  expect((await searchWords(query, translation)).understood).toBeNull();
});

test.each([
  ['my husband is dead', 'eng-web'],
  ['my father and my mother forsake me', 'spa-rv1909'],
])(
  'searchVerses with mode: WORDS takes "%s", which an English verse contains, for words',
  async (query, translation) => {
    expect((await searchWords(query, translation)).understood).toBeNull();
  },
);

test('searchVerses with mode: WORDS finds the words of a person also if the embedding model is unavailable', async () => {
  const without = await openSemanticClient({ overrides: { timeoutMs: 0 } });
  expect((await searchWords('my shepherd', 'eng-web', without)).totalCount).toBeGreaterThan(0);
  await without.close();
});

test.each([
  ['i was raped and never told anyone', 'Salmos 66:18'],
  ['why does God never listen to me, I hate him', 'Salmos 66:18'],
  ['I cannot go on, I want to disappear forever', '1 Reyes 19:4'],
  ['non ce la faccio più, vorrei sparire', '1 Reyes 19:4'],
])('semanticSearch for "%s" leaves out %s, which would wound', async (query, wounding) => {
  const found = await client.semanticSearch(query, { limit: 50 });
  expect(found.length).toBeGreaterThan(20);
  expect(found.map(({ verse }) => verse.reference)).not.toContain(wounding);
});

test.each([
  ['the doctor says stage four, I have two small kids', ['WIDOW', 'ADOPTION', 'ORPHAN']],
  ['my husband left me for another woman', ['WIDOW', 'BEREAVEMENT']],
])('semanticTopics for "%s" names no topic of another need', async (query, topics) => {
  const { data } = await client.execute(
    'query($query: String!) { semanticTopics(query: $query, limit: 20) { topic { id } } }',
    { query },
  );
  const found = data?.['semanticTopics'] as { topic: { id: string } }[];
  const names = found.map(({ topic }) => Buffer.from(topic.id, 'base64').toString());
  expect(found.length).toBeGreaterThan(5);
  expect(names.filter((name) => topics.some((topic) => name.endsWith(`:${topic}`)))).toEqual([]);
});
