import { existsSync, readFileSync } from 'node:fs';
import { verseId } from '@lectern/canon';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { createSearchSubgraph } from '@lectern/search';
import { silentLogger } from '@lectern/serving';
import type { Subgraph, WorkScheduler } from '@lectern/subgraph';
import { createWorkScheduler, executeInProcess } from '@lectern/subgraph';
import { dataDir } from '@lectern/testing';
import { createTextSubgraph } from '@lectern/text';

/** Linux counts here, as `rchar`, how many bytes the process has read. */
const ioFile = '/proc/self/io';
const bytesRead = (): number => Number(/rchar: (\d+)/.exec(readFileSync(ioFile, 'latin1'))?.[1]);

/**
 * The clock of the scheduler in these tests: each 100 kB that the process reads counts as one
 * millisecond. So a request pauses after 500 kB on every machine, because it may use 5 ms of a
 * turn.
 */
const millisecondsByReading = (): number => bytesRead() / 100_000;

/**
 * Resolves with the most bytes that the process reads in one turn of the event loop during `work`.
 */
async function maxBytesInATurn(work: () => unknown): Promise<number> {
  let most = 0;
  let before = bytesRead();
  const endTurn = (): void => {
    const now = bytesRead();
    most = Math.max(most, now - before);
    before = now;
    turn = setImmediate(endTurn);
  };
  let turn = setImmediate(endTurn);
  await work();
  clearImmediate(turn);
  return Math.max(most, bytesRead() - before);
}

type CreateSubgraph = (options: {
  dataDir: string;
  scheduler: WorkScheduler;
  semantic: null;
  preloadParser: boolean;
}) => Subgraph | Promise<Subgraph>;

type Name = 'text' | 'search' | 'concordance';
const createSubgraph: Record<Name, CreateSubgraph> = {
  text: createTextSubgraph,
  search: createSearchSubgraph,
  concordance: createConcordanceSubgraph,
};

/**
 * How many MB of files a subgraph may read in one turn of the event loop. A file of a translation
 * has 5 to 14 MB. A search reads the full-text index of a translation at once: 3.7 MB.
 */
const maxMegabytes: Record<Name, number> = { text: 2, search: 5, concordance: 2 };

const fields: readonly [Name, field: string][] = [
  ['text', 'verse(book: "JHN", chapter: 3, verse: 16, translation: $t) { text }'],
  ['text', 'chapter(book: "JHN", chapter: 3, translation: $t) { text }'],
  ['text', 'readingChapter(book: "JHN", chapter: 3, translation: $t) { verses { text headings { text } } }'],
  ['text', 'verses(ids: [$id]) { text }'],
  ['text', 'passage(reference: "John 3:16", translation: $t) { text }'],
  ['text', 'randomVerse(translation: $t) { text }'],
  ['text', 'verseOfTheDay(date: "2026-01-05", translation: $t) { text }'],
  ['search', 'search(query: "dios", translation: $t) { text }'],
  ['search', 'searchVerses(query: "Juan 3:16", translation: $t) { edges { node { text } } }'],
  ['search', 'searchVerses(query: "god", translations: ["eng-kjv", "eng-web", $t]) { totalCount }'],
  ['search', '_entities(representations: [{ __typename: "Verse", id: $id }]) { ... on Verse { text } }'],
  ['concordance', 'concordance(word: "amor", translation: $t) { totalCount }'],
  ['concordance', 'concordance(word: "amor", translation: $t, order: WORD_AFTER) { totalCount }'],
  ['concordance', 'concordanceIndex(translation: $t) { lemma }'],
  ['concordance', 'strongsConcordance(number: "H2617", translation: $t) { totalCount }'],
  ['concordance', 'collocates(word: "amor", translation: $t) { lemma }'],
  ['concordance', '_entities(representations: [{ __typename: "Verse", id: $id }]) { ... on Verse { text } }'],
];

const translation = 'spa-rv1909';
const variables = { t: translation, id: verseId({ translation, book: 'JHN', chapter: 3, verse: 16 }) };

(existsSync(ioFile) ? describe : describe.skip)('the first request to a translation', () => {
  test.each(fields.map(([name, field]) => [name, maxMegabytes[name], field] as const))(
    'the %s subgraph reads less than %i MB in one turn while it verifies a translation for the field %s',
    async (name, megabytes, field) => {
      const scheduler = createWorkScheduler({
        now: millisecondsByReading,
        cpuTime: millisecondsByReading,
        requestCpuMs: Infinity,
      });
      const subgraph = await createSubgraph[name]({ dataDir, scheduler, semantic: null, preloadParser: false });
      const execute = executeInProcess(subgraph, silentLogger);
      const declared = field.includes('$id') ? '$id: ID!' : '$t: String!';
      const run = async (): Promise<void> => {
        const { errors } = await execute({ query: `query(${declared}) { ${field} }`, variables });
        expect(errors).toBeUndefined();
      };
      expect(await maxBytesInATurn(run)).toBeLessThan(megabytes * 1_000_000);
      await subgraph.close();
    },
  );
});
