import {
  createUsableCheck,
  type FileCheck,
  readCatalogueIfUsable,
  readCatalogueRows,
  updateCatalogue,
} from '@lectern/data-files';
import { withDataLock } from './fetch/modules';
import { createEntryParser, importerVersion, textKind, toStoredTranslation, writeTranslationText } from './text-file';
import type { DraftTranslation } from './translation';

/** A draft without the properties that only the file of a Bible has. */
export type DerivedDraft = Omit<DraftTranslation, 'findings' | 'positions'>;

/** A translation that Lectern makes from sources other than Bible files. `digest` is a digest of these sources. */
export interface DerivedTranslation {
  readonly identifier: string;
  readonly digest: string;
  /** Reads the translation. Its `source` must have the `digest` above. */
  readonly read: () => DerivedDraft;
}

/**
 * Returns the translations whose text is missing, damaged, or made from other sources. A translation
 * that a user has imported under the same identifier stays.
 */
export function staleDerivedTranslations(
  translations: readonly DerivedTranslation[],
  dataDir: string,
  check: FileCheck,
): DerivedTranslation[] {
  const isUsable = createUsableCheck(dataDir, textKind, check);
  const parseEntry = createEntryParser();
  const identifiers = translations.map(({ identifier }) => identifier);
  const rows = readCatalogueIfUsable(dataDir, textKind) ? readCatalogueRows(dataDir, textKind, identifiers) : [];
  const listed = new Map(rows.filter(isUsable).map((row) => [row.identifier, parseEntry(row)]));
  return translations.filter(({ identifier, digest }) => {
    const present = listed.get(identifier);
    if (present?.origin === 'import') return false;
    return present?.importer !== importerVersion || present.translation.source.digest !== digest;
  });
}

/** Writes the texts that are stale. The caller builds their indexes. */
export async function buildDerivedTranslations(
  translations: readonly DerivedTranslation[],
  { dataDir, check, log }: { dataDir: string; check: FileCheck; log: (line: string) => void },
): Promise<void> {
  if (staleDerivedTranslations(translations, dataDir, check).length === 0) return;
  await withDataLock(dataDir, { log }, async () => {
    // Another process may have written them while this process waited for the lock.
    for (const { identifier, read } of staleDerivedTranslations(translations, dataDir, check)) {
      const startedAt = performance.now();
      const draft = read();
      await writeTranslationText(
        dataDir,
        toStoredTranslation({ ...draft, findings: [], positions: new Map() }, 'default'),
      );
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      log(`${identifier}: ${draft.verses.length} verses from ${draft.source.name} in ${seconds} s`);
    }
    await updateCatalogue(dataDir, textKind, { log });
  });
}
