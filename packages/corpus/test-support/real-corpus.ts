import { resolve } from 'node:path';
import { ensureCorpus } from '../src/build';
import { defaultTranslations, moduleOfTranslation } from '../src/defaults';
import { findModules, type ModuleSources, withDataLock } from '../src/fetch/modules';
import { fetchSources } from '../src/fetch/sources';

/**
 * The folder that LECTERN_DATA names, or the repository's data folder. The texts are downloaded and
 * built there once, for all tests.
 */
export const dataDir = process.env['LECTERN_DATA'] ?? resolve(__dirname, '../../../data');

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** The timeout of a `beforeAll` that may have to download the texts. */
export const fetchTimeoutMs = 300_000;

/** Makes sure that the data folder has the three default translations, and returns its path. */
export async function realCorpus(): Promise<string> {
  await ensureCorpus({ dataDir, env: process.env, log });
  return dataDir;
}

/**
 * Returns the modules of the default translations. Uses those in the data folder if all are there,
 * so that another version installed on this machine changes no result.
 */
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
