import { ordinalParts, verseId } from '@lectern/canon';
import { findModules } from '@lectern/corpus';
import { createVersesAndParser, readTopics, type Topic, topicalBible, type VerseSpan } from '@lectern/reference-works';
import { createRandom, dataDir, testSeed, useStarted } from '@lectern/testing';
import { openRealStudyClient } from '../test-support/study-client';

// These tests read Nave's Topical Bible, compute lists of topics and verses from it in the simplest
// way, and compare them with the lists that the subgraph returns.

const log = (line: string) => process.stderr.write(`${line}\n`);
const conf = findModules([topicalBible], { dataDir, env: {}, swordRoots: [], log }).found.get(topicalBible.module);
if (conf === undefined && process.env['CI'] === 'true') throw new Error('data/sources lacks the module Nave');
if (conf === undefined) log("skipped: computing lists from Nave's Topical Bible again (run `npm run data`)");
const describeWithTopics = conf === undefined ? describe.skip : describe;

const versesAndParser = createVersesAndParser();
const { ordinals, within } = versesAndParser.verses;
const versesOf = (spans: readonly VerseSpan[]): Set<number> => new Set(spans.flatMap(within));
const entriesOf = ({ sections }: Topic) => sections.flatMap(({ entries }) => entries);

const random = createRandom(testSeed());
const drawn = Array.from({ length: 60 }, () => ordinals[Math.floor(random() * ordinals.length)] ?? 1001001);
const placeOf = (ordinal: number) => {
  const parts = ordinalParts(ordinal);
  if (!parts) throw new Error(`no verse has the ordinal ${ordinal}`);
  return parts;
};
const textOf = (ordinal: number): string => {
  const { book, chapter, verse } = placeOf(ordinal);
  return `eng-kjv ${book} ${chapter}:${verse}`;
};

describeWithTopics("comparison with Nave's Topical Bible", () => {
  const client = useStarted(openRealStudyClient);
  let topics: readonly Topic[];
  beforeAll(() => {
    ({ topics } = readTopics(conf ?? '', versesAndParser));
  });

  test("the field verseCount of each topic is the number of different verses that Nave's Topical Bible lists for the topic", async () => {
    const served = new Map<string, number>();
    for (let after: string | null = null, hasNext = true; hasNext; ) {
      const page: {
        topics: {
          edges: { node: { name: string; verseCount: number } }[];
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
        };
      } = await client.data(
        'query ($after: String) { topics(first: 100, after: $after) { edges { node { name verseCount } } pageInfo { hasNextPage endCursor } } }',
        { after },
      );
      for (const { node } of page.topics.edges) served.set(node.name, node.verseCount);
      ({ hasNextPage: hasNext, endCursor: after } = page.topics.pageInfo);
    }
    const expected = topics.map(
      (topic) => [topic.name, versesOf(entriesOf(topic).flatMap(({ references }) => references)).size] as const,
    );
    expect(expected.filter(([name, count]) => served.get(name) !== count)).toEqual([]);
  });

  test("the field Verse.topics of 60 random verses returns exactly the topics of Nave's Topical Bible that list the verse", async () => {
    const served = await client.verses<{ topics: { topic: { name: string } }[] }>(
      'topics(first: 100) { topic { name } }',
      drawn.map(textOf),
    );
    for (const [index, ordinal] of drawn.entries()) {
      const naming = topics.filter((topic) =>
        entriesOf(topic).some(({ references }) =>
          references.some(({ first, last }) => first <= ordinal && ordinal <= last),
        ),
      );
      const names = served[index]?.topics.map(({ topic }) => topic.name) ?? [];
      expect([textOf(ordinal), ...names.sort()]).toEqual([textOf(ordinal), ...naming.map(({ name }) => name).sort()]);
    }
  });

  test("Verse.crossReferences of 60 random verses has the verses that Nave's Topical Bible lists beside them", async () => {
    const served = await client.verses<{ crossReferences: { verses: { id: string }[]; sources: { id: string }[] }[] }>(
      'crossReferences(first: 100) { verses(first: 50) { id } sources { id } }',
      drawn.map(textOf),
    );
    // Each verse of the New Testament is linked with the verses of the Old that stand after it.
    const quotations = topics.find(({ name }) => name === 'QUOTATIONS AND ALLUSIONS');
    const quoted = new Set(versesOf((quotations ? entriesOf(quotations) : []).flatMap(({ references }) => references)));
    const shortEntries = topics
      .flatMap(entriesOf)
      .map(({ references }) => versesOf(references))
      .filter((verses) => verses.size <= 8);
    for (const [index, ordinal] of drawn.entries()) {
      const expected = new Set<number>();
      for (const verses of shortEntries.filter((each) => each.has(ordinal)))
        for (const other of verses) if (!areConnected(ordinal, other, verses)) expected.add(other);
      const expectedIds: string[] = [...expected].map((each) => verseId({ translation: 'eng-kjv', ...placeOf(each) }));
      const ids = served[index]?.crossReferences
        .filter(({ sources }) => sources.some(({ id }) => id === 'naves'))
        .flatMap(({ verses }) => verses.map(({ id }) => id))
        .filter((id) => !quoted.has(ordinal) || expectedIds.includes(id));
      expect([textOf(ordinal), ...(ids ?? []).sort()]).toEqual([textOf(ordinal), ...expectedIds.sort()]);
    }
  });
});

/**
 * Returns whether all verses between two verses are among `verses`. Then both verses belong to one
 * range, and neither is a cross reference of the other.
 */
function areConnected(a: number, b: number, verses: ReadonlySet<number>): boolean {
  return within({ first: Math.min(a, b), last: Math.max(a, b) }).every((each) => verses.has(each));
}
