import { copyFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explainWriteError, readCatalogueIfUsable } from '@lectern/data-files';
import { openCorpus } from '../open-corpus';
import { offlineFileKind, packageFile, packagePath, parseOfflineEntry } from './package-list';

interface ExportOptions {
  dataDir: string;
  /** The folder that becomes the root of the web host. */
  folder: string;
  /** The value of the setting OFFLINE_BASE_URL: the URL of the web host. If empty, the index has paths, not URLs. */
  baseUrl: string;
  log: (line: string) => void;
}

/**
 * Copies the offline packages to a folder, so that their paths are those of their URLs, and writes the list
 * `offline/index.json`. Skips existing files. Packages of earlier exports stay, because clients may still download
 * them. Returns the number of packages.
 */
export function exportPackages({ dataDir, folder, baseUrl, log }: ExportOptions): number {
  const rows = new Map(readCatalogueIfUsable(dataDir, offlineFileKind)?.map((row) => [row.identifier, row]));
  const corpus = openCorpus(dataDir);
  try {
    const listed = corpus.translations.flatMap((translation) => {
      const { identifier, name, abbrev, language, languageName, direction, note, licence } = translation;
      const row = rows.get(identifier);
      if (!row) return [];
      const { packages } = parseOfflineEntry(row);
      const missing = packages.filter(
        (each) =>
          statSync(join(folder, packagePath(identifier, each)), { throwIfNoEntry: false })?.size !== each.sizeBytes,
      );
      for (const each of missing)
        replaceFile(join(folder, packagePath(identifier, each)), (partFile) =>
          copyFileSync(packageFile(dataDir, identifier, each), partFile),
        );
      log(`${identifier}: ${missing.length} packages copied, ${packages.length - missing.length} were there`);
      const listedPackages = packages.map((each) => ({
        ...each,
        url: `${baseUrl.replace(/\/+$/, '')}${packagePath(identifier, each)}`,
      }));
      return [{ identifier, name, abbrev, language, languageName, direction, note, licence, packages: listedPackages }];
    });
    const index = JSON.stringify({ formatVersion: 1, translations: listed }, null, 2);
    replaceFile(join(folder, 'offline', 'index.json'), (partFile) => writeFileSync(partFile, `${index}\n`));
    return listed.reduce((sum, { packages }) => sum + packages.length, 0);
  } finally {
    corpus.close();
  }
}

/** Writes a file under a temporary name and renames it. */
function replaceFile(file: string, write: (partFile: string) => void): void {
  const partFile = `${file}.part`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    write(partFile);
    renameSync(partFile, file);
  } catch (error) {
    throw explainWriteError(file, error);
  }
}
