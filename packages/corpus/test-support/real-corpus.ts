import { resolve } from 'node:path';
import { ensureCorpus } from '../src/build';
import { defaultTranslations, moduleOfTranslation } from '../src/defaults';
import { findModules, type ModuleSources, withDataLock } from '../src/fetch/modules';
import { fetchSources } from '../src/fetch/sources';

/** Where the texts are downloaded and built once, for all tests. */
export const dataDir = process.env['LECTERN_DATA'] ?? resolve(__dirname, '../../../data');

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The timeout of a `beforeAll` that may have to download the texts. */
export const fetchTimeoutMs = 300_000;

export async function realCorpus(): Promise<string> {
  await ensureCorpus({ dataDir, env: process.env, log });
  return dataDir;
}

/** Prefers modules in the data folder: another version on this machine would change results. */
export async function realSources(): Promise<ModuleSources> {
  const { found, missing } = findModules(defaultTranslations.map(moduleOfTranslation), {
    dataDir,
    env: {},
    swordRoots: [],
    log,
  });
  if (missing.length === 0) return found;
  return withDataLock(dataDir, { log }, () => fetchSources(defaultTranslations, { dataDir, env: process.env, log }));
}
