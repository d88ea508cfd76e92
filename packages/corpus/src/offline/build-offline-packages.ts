import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FileCheck,
  readCatalogue,
  readCatalogueIfUsable,
  removeTranslationFiles,
  translationFolder,
  translationFolders,
  withFolderLock,
} from '@lectern/data-files';
import { buildIndexes, defaultJobs, type IndexSelection, staleIndexes } from '../build-indexes';
import { type TextEntry, textKind } from '../text-sqlite-file';
import { buildPackages } from './build-packages-of-translation';
import { offlineFileKind, packageFile, packageName, packagesFolder, parseOfflineEntry } from './offline-package-list';
import { hasOfflinePackages, type OfflineTranslations } from './offline-translations';

/** How long a package can still be downloaded after another package has replaced it. */
const keepReplacedMs = 7 * 24 * 3600 * 1000;

export interface BuildOfflinePackagesOptions {
  dataDir: string;
  /** The setting OFFLINE_TRANSLATIONS. */
  translations: OfflineTranslations;
  log: (line: string) => void;
  /** The maximum number of translations that are built at the same time; by default one for each core. */
  jobs?: number;
  /** How thoroughly existing packages are checked: by default the whole contents. */
  check?: FileCheck;
  /** Returns the current time in milliseconds. */
  now?: () => number;
}

/**
 * Builds the offline packages of each translation that has none, or whose packages are damaged or made from another
 * text. Removes the packages of translations that may no longer have them, and packages that were replaced a week ago.
 * After a kill, the next call continues. Resolves with the identifiers of the translations that were built.
 */
export async function buildOfflinePackages({
  dataDir,
  translations,
  log,
  jobs = defaultJobs(),
  check = 'contents',
  now = Date.now,
}: BuildOfflinePackagesOptions): Promise<string[]> {
  reportUnknown(dataDir, translations, log);
  const selection = selectionOf(dataDir, translations, check);
  await removeWithdrawnPackages(dataDir, selection, log);
  const built = await buildIndexes({
    dataDir,
    kind: offlineFileKind,
    check,
    jobs,
    build: buildPackages,
    workerFile: join(__dirname, '..', '..', 'dist', 'offline', 'package-worker.js'),
    log,
    selection,
  });
  await removeUnusedPackages(dataDir, { now, log });
  return built;
}

/**
 * Returns the translations whose offline packages are missing, damaged or made from another text and must be built. Also
 * returns the translations whose packages are not allowed and must be removed.
 */
export function staleOfflinePackages(
  dataDir: string,
  translations: OfflineTranslations,
  check: FileCheck,
): { toBuild: string[]; toRemove: string[] } {
  const selection = selectionOf(dataDir, translations, check);
  return {
    toBuild: staleIndexes(dataDir, offlineFileKind, check, selection),
    toRemove: withdrawnTranslations(dataDir, selection),
  };
}

type OfflineSelection = Required<IndexSelection>;

function selectionOf(dataDir: string, translations: OfflineTranslations, check: FileCheck): OfflineSelection {
  return {
    hasFile: ({ identifier, entry }) =>
      hasOfflinePackages(translations, { identifier, licence: (JSON.parse(entry) as TextEntry).details.licence }),
    isComplete: (row) =>
      parseOfflineEntry(row).packages.every((each) => {
        const file = packageFile(dataDir, row.identifier, each);
        if (statSync(file, { throwIfNoEntry: false })?.size !== each.sizeBytes) return false;
        return check === 'headers' || createHash('sha256').update(readFileSync(file)).digest('hex') === each.sha256;
      }),
  };
}

/** Reports identifiers of OFFLINE_TRANSLATIONS without a translation. It may have been removed, so this is no error. */
function reportUnknown(dataDir: string, { identifiers }: OfflineTranslations, log: (line: string) => void): void {
  if (identifiers.size === 0) return;
  const known = new Set(readCatalogue(dataDir, textKind).map(({ identifier }) => identifier));
  for (const identifier of identifiers)
    if (!known.has(identifier))
      log(`warning: OFFLINE_TRANSLATIONS names ${identifier}, which the corpus does not have`);
}

/** Returns the translations that have packages and may no longer have them. */
function withdrawnTranslations(dataDir: string, { hasFile }: OfflineSelection): string[] {
  const built = new Set(readCatalogueIfUsable(dataDir, offlineFileKind)?.map(({ identifier }) => identifier));
  return readCatalogue(dataDir, textKind)
    .filter((row) => built.has(row.identifier) && !hasFile(row))
    .map(({ identifier }) => identifier);
}

/** Removes the lists of packages that may not be passed on. `removeUnusedPackages` then removes the packages. */
async function removeWithdrawnPackages(
  dataDir: string,
  selection: OfflineSelection,
  log: (line: string) => void,
): Promise<void> {
  const withdrawn = withdrawnTranslations(dataDir, selection);
  if (withdrawn.length === 0) return;
  await withFolderLock(dataDir, { log }, () => removeTranslationFiles(dataDir, offlineFileKind, withdrawn, { log }));
  for (const identifier of withdrawn)
    log(`removed the offline packages of ${identifier}: OFFLINE_TRANSLATIONS does not allow them`);
}

/**
 * Removes packages that were replaced a week ago. Downloads that run and cached URLs work until then. Packages of a
 * translation without a list are removed at once: the translation was removed or withdrawn.
 */
async function removeUnusedPackages(
  dataDir: string,
  { now, log }: Required<Pick<BuildOfflinePackagesOptions, 'now' | 'log'>>,
): Promise<void> {
  if (unusedPackages(dataDir, now()).length === 0) return;
  await withFolderLock(dataDir, { log }, async () => {
    for (const file of unusedPackages(dataDir, now())) rmSync(file, { force: true });
    for (const identifier of translationFolders(dataDir))
      for (const folder of [
        ...foldersIn(packagesFolder(dataDir, identifier)),
        packagesFolder(dataDir, identifier),
        translationFolder(dataDir, identifier),
      ])
        if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
  });
}

/** Returns the files of packages that are to be removed. */
function unusedPackages(dataDir: string, now: number): string[] {
  const rows = new Map(readCatalogueIfUsable(dataDir, offlineFileKind)?.map((row) => [row.identifier, row]));
  return translationFolders(dataDir).flatMap((identifier) => {
    const row = rows.get(identifier);
    const folder = packagesFolder(dataDir, identifier);
    const current = new Set(row ? parseOfflineEntry(row).packages.map((each) => join(folder, packageName(each))) : []);
    return foldersIn(folder)
      .flatMap((version) => readdirSync(version).map((name) => join(version, name)))
      .filter((file) => !current.has(file) && (!row || now - statSync(file).mtimeMs > keepReplacedMs));
  });
}

/** Returns the folders of the schema versions in the folder of a translation's packages. */
const foldersIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version)) : [];
