import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createConcordanceSubgraph } from '@lectern/concordance';
import { createSearchSubgraph } from '@lectern/search';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { createRandom, linkData, spawnProcess, testSeed } from '@lectern/testing';
import { createTextSubgraph } from '@lectern/text';

const folder = mkdtempSync(join(tmpdir(), 'lectern-killed-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Starts an import (`npm run corpus -- import --replace`) of a translation whose only verse has
 * `word`.
 */
function startImport(word: string) {
  const file = join(folder, 'eng-own.usfx');
  writeFileSync(
    file,
    `<usfx><languageCode>eng</languageCode><book id="PSA"><h>Psalms</h><c id="1"/><p><v id="1"/>A lantern and ${word}.<ve/></p></book></usfx>`,
  );
  const env = { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '' };
  return spawnProcess('packages/standalone/dist/corpus-main.js', env, ['import', file, '--replace']);
}

/** Opens three subgraphs. Returns the word of the verse that each of them serves. */
async function servedWords(): Promise<string[]> {
  const options = { dataDir: folder, preloadParser: false, semantic: null };
  const subgraphs = [
    createTextSubgraph(options),
    await createSearchSubgraph(options),
    createConcordanceSubgraph(options),
  ] as const;
  const [text, search, concordance] = await Promise.all([
    executeInProcess(
      subgraphs[0],
      silentLogger,
    )({ query: '{ verse(translation: "eng-own", book: "PSA", chapter: 1, verse: 1) { text } }' }),
    executeInProcess(
      subgraphs[1],
      silentLogger,
    )({ query: '{ search(translation: "eng-own", query: "lantern") { text } }' }),
    executeInProcess(
      subgraphs[2],
      silentLogger,
    )({
      query: '{ concordance(translation: "eng-own", word: "lantern") { edges { node { verse { text } } } } }',
    }),
  ]);
  for (const subgraph of subgraphs) await subgraph.close();
  return [...JSON.stringify([text, search, concordance]).matchAll(/A lantern and (\w+)\./g)].map(
    ([, word = '']) => word,
  );
}

const isPart = (name: string): boolean => name.includes('.part');

test('after an import is killed, each subgraph serves the complete text of this import or of an earlier one', async () => {
  linkData(folder, (name) => ['strongs.sqlite', 'reference-works.sqlite', 'originals.sqlite'].includes(name));
  const startedAt = performance.now();
  expect(await startImport('oil').ended).toBe(0);
  const durationMs = performance.now() - startedAt;
  const random = createRandom(testSeed());
  const words = ['oil', 'fire', 'light', 'wick', 'flame'];
  for (const [index, word] of words.slice(1).entries()) {
    const { child, ended } = startImport(word);
    await wait((0.3 + 0.7 * random()) * durationMs);
    child.kill('SIGKILL');
    await ended;
    // An import may have replaced the text before it was killed, so each word so far is possible.
    const possible = new Set(words.slice(0, index + 2));
    const served = await servedWords();
    expect(served).toHaveLength(3);
    expect(served.filter((each) => !possible.has(each))).toEqual([]);
  }
  const [first, second] = [startImport('glass'), startImport('glass')];
  expect([await first.ended, await second.ended]).toEqual([0, 0]);
  expect(await servedWords()).toEqual(['glass', 'glass', 'glass']);
  expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(isPart)).toEqual([]);
});
