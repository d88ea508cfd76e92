import { dataDir } from '@lectern/testing';
import { ensureCorpus } from '../src/build';
import { defaultTranslations, moduleOfTranslation } from '../src/default-translations';
import { fetchSources } from '../src/fetch/fetch-sources';
import { findModules, type ModuleSources, withDataLock } from '../src/fetch/modules';

const log = (line: string): void => void process.stderr.write(`${line}\n`);

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
