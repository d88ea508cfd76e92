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

/** A draft without the properties that only imported files have. */
export type DerivedDraft = Omit<DraftTranslation, 'findings' | 'positions'>;

/** A translation that Lectern makes from other sources than Bible files. `digest` is the digest of these sources. */
export interface DerivedTranslation {
  readonly identifier: string;
  readonly digest: string;
  /** Reads the translation. The `digest` of its `source` must equal the digest above. */
  readonly read: () => DerivedDraft;
}

/**
 * Returns the translations whose text is missing, damaged or made from other sources, except those that a user has
 * replaced by importing another text.
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

/** Writes the texts that are missing or outdated. The caller builds their indexes. */
export async function buildDerivedTranslations(
  translations: readonly DerivedTranslation[],
  { dataDir, check, log }: { dataDir: string; check: FileCheck; log: (line: string) => void },
): Promise<void> {
  if (staleDerivedTranslations(translations, dataDir, check).length === 0) return;
  await withDataLock(dataDir, { log }, async () => {
    // Checked again, because another process may have written the texts while this process waited for the lock.
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
