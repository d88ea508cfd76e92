import { existsSync } from 'node:fs';
import { buildDefaultTranslations, importerVersion, requiredDefaults } from './build-corpus';
import { corpusFile } from './corpus-schema';
import { withDataLock } from './data-lock';
import { defaultTranslations } from './default-translations';
import { fetchSources } from './fetch/fetch-sources';
import type { FetchOptions } from './fetch/find-modules';
import { isImportError } from './import-messages';
import { isCorpusError, openCorpus } from './open-corpus';

/** `dataDir` is the folder of corpus.sqlite. */
export type EnsureOptions = FetchOptions;

/**
 * Returns the path of a readable corpus with every default translation. Downloads the sources and
 * builds the corpus if the corpus does not exist yet. Throws an ImportError if no source can be
 * found.
 */
export async function ensureCorpus(options: EnsureOptions): Promise<string> {
  const { dataDir, log } = options;
  const file = corpusFile(dataDir);
  if (stateOf(file) === 'ready') return file;
  await withDataLock(dataDir, { log }, async () => {
    // Another process may have built the corpus while this process waited for the lock.
    const state = stateOf(file);
    if (state === 'ready') return;
    log(`making ${file}`);
    try {
      await buildDefaultTranslations(await fetchSources(requiredDefaults(file), options), { dataDir, log });
    } catch (error) {
      if (state !== 'outdated' || !isImportError(error)) throw error;
      log(`warning: ${file} was made by an earlier version and stays as it is: ${error.message}`);
    }
  });
  return file;
}

/**
 * The state of the corpus file. `outdated` means readable and complete, although the current
 * importers would produce another text.
 */
type CorpusState = 'ready' | 'outdated' | 'unusable';

function stateOf(file: string): CorpusState {
  if (!existsSync(file)) return 'unusable';
  try {
    const corpus = openCorpus(file);
    try {
      if (defaultTranslations.some(({ identifier }) => !corpus.translation(identifier))) return 'unusable';
      return corpus.importer === importerVersion ? 'ready' : 'outdated';
    } finally {
      corpus.close();
    }
  } catch (error) {
    if (isCorpusError(error)) return 'unusable';
    throw error;
  }
}
