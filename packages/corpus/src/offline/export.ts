import { copyFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { explainWriteError, readCatalogueIfUsable } from '@lectern/data-files';
import { openCorpus } from '../open';
import { offlineFileKind, packageFile, packagePath, parseOfflineEntry } from './list';

interface ExportPackagesOptions {
  dataDir: string;
  /** The folder that becomes the root of the web host. */
  folder: string;
  /** The setting OFFLINE_BASE_URL: the URL of that host. If empty, the index has paths. */
  baseUrl: string;
  log: (line: string) => void;
}

/**
 * Copies the offline packages to a folder, under the paths of their URLs, and writes the list
 * `offline/index.json`. Skips packages that are there already. Packages of earlier exports stay,
 * because clients may still download them. Returns the number of packages.
 */
export function exportPackages({ dataDir, folder, baseUrl, log }: ExportPackagesOptions): number {
  const rows = new Map(readCatalogueIfUsable(dataDir, offlineFileKind)?.map((row) => [row.identifier, row]));
  const corpus = openCorpus(dataDir);
  try {
    const listed = corpus.translations.flatMap((translation) => {
      const { identifier, name, abbrev, language, languageName, direction, note, licence } = translation;
      const row = rows.get(identifier);
      if (!row) return [];
      const { packages } = parseOfflineEntry(row);
      const copied = packages.filter((each) => {
        const target = join(folder, packagePath(identifier, each));
        return copyIfMissing(packageFile(dataDir, identifier, each), target, each.sizeBytes);
      }).length;
      log(`${identifier}: ${copied} packages copied, ${packages.length - copied} were there`);
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

/** Returns false, and copies nothing, if `to` exists and has this size already. */
function copyIfMissing(from: string, to: string, sizeBytes: number): boolean {
  if (statSync(to, { throwIfNoEntry: false })?.size === sizeBytes) return false;
  replaceFile(to, (partFile) => copyFileSync(from, partFile));
  return true;
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
