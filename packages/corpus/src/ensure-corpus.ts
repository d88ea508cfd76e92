import { type FileCheck, isFolderChanged, updateCatalogue } from '@lectern/data-files';
import { buildDefaultTranslations, importerVersion, listTranslations, requiredDefaults } from './build';
import { hasOldDataFiles } from './convert-old-data-files';
import { withDataLock } from './data-lock';
import { type DefaultTranslation, defaultTranslations } from './defaults';
import type { FetchOptions } from './fetch/modules';
import { fetchSources } from './fetch/sources';
import { isImportError } from './import-errors-and-remarks';
import { textKind } from './text-sqlite-tables';

export interface EnsureOptions extends FetchOptions {
  /**
   * How thoroughly existing texts are checked. `contents`, the default, reads each file and also
   * looks for files that the catalogue does not list. `headers` checks only the header of each file
   * that the catalogue lists.
   */
  check?: Exclude<FileCheck, 'sizes'>;
}

/**
 * Makes sure that the data folder has the text of every default translation. Downloads the sources
 * and imports texts that are missing, or that were made by another version of the importers. If no
 * source can be found, throws an ImportError if a text is missing, and otherwise logs a warning.
 */
export async function ensureCorpus(options: EnsureOptions): Promise<void> {
  const { dataDir, log, check = 'contents' } = options;
  const isReady = () =>
    !hasOldDataFiles(dataDir) &&
    (check === 'headers' || !isFolderChanged(dataDir, textKind)) &&
    missingDefaults(dataDir, check).length === 0;
  if (isReady()) return;
  await withDataLock(dataDir, { log }, async () => {
    await updateCatalogue(dataDir, textKind, { log });
    // Another process may have built the texts while this process waited for the lock.
    const missing = missingDefaults(dataDir, check);
    if (missing.length === 0) return;
    const names = missing.map(({ identifier }) => identifier).join(', ');
    log(`making the text of ${names} in ${dataDir}`);
    try {
      const sources = await fetchSources(requiredDefaults(dataDir), options);
      await buildDefaultTranslations(missing, sources, { dataDir, log });
    } catch (error) {
      const listed = listTranslations(dataDir, check);
      if (!isImportError(error) || !missing.every(({ identifier }) => listed.has(identifier))) throw error;
      log(`warning: ${names} were made by an earlier version and stay as they are: ${error.message}`);
    }
  });
}

/**
 * Returns the default translations that have no usable text, or a text of another version of the
 * importers.
 */
function missingDefaults(dataDir: string, check: FileCheck): DefaultTranslation[] {
  const listed = listTranslations(dataDir, check);
  return defaultTranslations.filter(({ identifier }) => {
    const present = listed.get(identifier);
    return !present || (present.origin === 'default' && present.importer !== importerVersion);
  });
}
