import { openTranslationFiles } from '@lectern/data-files';
import { type OfflinePackage, offlineFileKind, parseOfflineEntry } from './list';

/**
 * Opens the lists of offline packages of a data folder. Notices when the lists are replaced. A data
 * folder without packages has an empty list.
 */
export function openOfflinePackages(dataDir: string, { report }: { report?: (line: string) => void } = {}) {
  const files = openTranslationFiles({
    dataDir,
    kind: offlineFileKind,
    toEntry: parseOfflineEntry,
    readContent: () => ({ content: null, bytes: 0 }),
    isOptional: true,
    report,
  });
  return {
    /**
     * Returns the package with the highest schema version up to `maxSchemaVersion`. Returns null if
     * there is none.
     */
    find: (identifier: string, maxSchemaVersion: number): OfflinePackage | null =>
      files.find(identifier)?.packages.findLast(({ schemaVersion }) => schemaVersion <= maxSchemaVersion) ?? null,
    /** Returns true if the translation has packages. */
    has: (identifier: string): boolean => (files.find(identifier)?.packages.length ?? 0) > 0,
    close: () => files.close(),
  };
}

export type OfflinePackages = ReturnType<typeof openOfflinePackages>;
