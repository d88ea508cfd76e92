import { existsSync } from 'node:fs';
import { buildDefaultTranslations, corpusFile, importerVersion, requiredDefaults } from './build-corpus';
import { withDataLock } from './data-lock';
import { defaultTranslations } from './default-translations';
import { fetchSources } from './fetch/fetch-sources';
import { isImportError } from './import-error';
import { isCorpusError, openCorpus } from './open-corpus';

export interface EnsureOptions {
  /** Where corpus.sqlite and the fetched sources lie. */
  dataDir: string;
  env: NodeJS.ProcessEnv;
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
}

/** The path of a corpus that can be opened and holds every default translation; fetched and built the first time. */
export async function ensureCorpus({ dataDir, env, log }: EnsureOptions): Promise<string> {
  const file = corpusFile(dataDir);
  if (stateOf(file) === 'ready') return file;
  await withDataLock(dataDir, { log }, async () => {
    // Another process may have made it while this one waited.
    const state = stateOf(file);
    if (state === 'ready') return;
    log(`making ${file}`);
    try {
      await buildDefaultTranslations(await fetchSources(requiredDefaults(file), { dataDir, env, log }), {
        dataDir,
        log,
      });
    } catch (error) {
      if (state !== 'outdated' || !isImportError(error)) throw error;
      log(`warning: ${file} was made by an earlier version and stays as it is: ${error.message}`);
    }
  });
  return file;
}

/** `outdated`: whole and readable, but these importers would make another text of it. */
function stateOf(file: string): 'ready' | 'outdated' | 'unfit' {
  if (!existsSync(file)) return 'unfit';
  try {
    const corpus = openCorpus(file);
    try {
      if (defaultTranslations.some(({ identifier }) => !corpus.translation(identifier))) return 'unfit';
      return corpus.importer === importerVersion ? 'ready' : 'outdated';
    } finally {
      corpus.close();
    }
  } catch (error) {
    if (isCorpusError(error)) return 'unfit';
    throw error;
  }
}
