import { resolve } from 'node:path';
import { withDataLock } from '../src/data-lock';
import { defaultTranslations } from '../src/default-translations';
import { ensureCorpus } from '../src/ensure-corpus';
import { fetchSources } from '../src/fetch/fetch-sources';
import type { ModuleSources } from '../src/fetch/find-modules';

/** The repository's own data folder: the texts are fetched and built there once, for all tests. */
export const dataDir = process.env['LECTERN_DATA'] ?? resolve(__dirname, '../../../data');

const log = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

export const fetchingMs = 300_000;

/** The path of a corpus of the three default translations. */
export const realCorpus = (): Promise<string> => ensureCorpus({ dataDir, env: process.env, log });

/** The modules it is made from. */
export const realSources = (): Promise<ModuleSources> =>
  withDataLock(dataDir, { log }, () => fetchSources(defaultTranslations, { dataDir, env: process.env, log }));
