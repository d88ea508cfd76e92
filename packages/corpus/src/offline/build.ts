import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type CatalogueRow,
  type FileCheck,
  readCatalogueIfUsable,
  readCatalogueKeys,
  readCatalogueKeysIfUsable,
  readCatalogueRows,
  removeTranslationFiles,
  translationFolder,
  translationFolders,
  withFolderLock,
} from '@lectern/data-files';
import { buildIndexes, defaultJobs, type IndexSelection, staleIndexes } from '../build-indexes';
import { isFree } from '../licences';
import { type TextEntry, textKind } from '../text-file';
import { buildPackages } from './package-file';
import {
  type OfflineTranslations,
  offlineFileKind,
  packageFile,
  packageName,
  packagesFolder,
  parseOfflineEntry,
} from './package-list';

/** For how many milliseconds a package can still be downloaded after it was replaced. */
const keepReplacedMs = 7 * 24 * 3600 * 1000;

interface BuildOptions {
  dataDir: string;
  /** The value of the setting OFFLINE_TRANSLATIONS. */
  translations: OfflineTranslations;
  log: (line: string) => void;
  check: FileCheck;
  /** Returns the current time in milliseconds. */
  now: () => number;
}

/**
 * Builds missing, damaged and outdated packages. Removes those not allowed by `translations`, or replaced a week ago.
 * Resolves with the identifiers of built translations. The next call continues a killed build.
 */
export async function buildOfflinePackages({
  jobs = defaultJobs(),
  check = 'contents',
  now = Date.now,
  ...others
}: Omit<BuildOptions, 'check' | 'now'> & Partial<BuildOptions> & { jobs?: number }): Promise<string[]> {
  const options = { ...others, check, now };
  const { dataDir, log } = options;
  reportUnknown(options);
  const selection = selectionOf(dataDir, options.translations, check);
  await removeWithdrawnPackages(selection, options);
  const built = await buildIndexes({
    dataDir,
    kind: offlineFileKind,
    check,
    jobs,
    build: buildPackages,
    workerFile: join(__dirname, '..', '..', 'dist', 'offline', 'worker.js'),
    log,
    selection,
  });
  await removeUnusedPackages(built, options);
  return built;
}

/** The translations whose packages are missing, damaged or of another text, or no longer allowed by `translations`. */
export function staleOfflinePackages(
  dataDir: string,
  translations: OfflineTranslations,
  check: FileCheck,
): { toBuild: string[]; toRemove: string[] } {
  const selection = selectionOf(dataDir, translations, check);
  return {
    toBuild: staleIndexes(dataDir, offlineFileKind, check, { selection }),
    toRemove: withdrawnTranslations(dataDir, selection, check),
  };
}

const selectionOf = (
  dataDir: string,
  { free, identifiers }: OfflineTranslations,
  check: FileCheck,
): IndexSelection => ({
  withFile(texts) {
    const candidates = texts.map(({ identifier }) => identifier).filter((each) => free || identifiers.has(each));
    return readCatalogueRows(dataDir, textKind, candidates).filter(({ identifier, entry }) => {
      const { restricted, licence } = (JSON.parse(entry) as TextEntry).details;
      // Downloads need no key.
      return !restricted && (identifiers.has(identifier) || isFree(licence.code));
    });
  },
  incomplete: () =>
    (readCatalogueIfUsable(dataDir, offlineFileKind) ?? [])
      .filter((row) => !hasAllPackages(dataDir, row, check))
      .map(({ identifier }) => identifier),
});

const hasAllPackages = (dataDir: string, row: CatalogueRow, check: FileCheck): boolean =>
  parseOfflineEntry(row).packages.every((each) => {
    const file = packageFile(dataDir, row.identifier, each);
    if (statSync(file, { throwIfNoEntry: false })?.size !== each.sizeBytes) return false;
    return check !== 'contents' || createHash('sha256').update(readFileSync(file)).digest('hex') === each.sha256;
  });

function reportUnknown({ dataDir, translations: { identifiers }, check, log }: BuildOptions): void {
  if (identifiers.size === 0) return;
  const known = new Set(readCatalogueKeys(dataDir, textKind, check).map(({ identifier }) => identifier));
  for (const identifier of identifiers)
    if (!known.has(identifier))
      log(`warning: OFFLINE_TRANSLATIONS names ${identifier}, which the corpus does not have`);
}

/** Translations whose packages the setting or licence no longer allows, with `sizes` only if the text changed too. */
function withdrawnTranslations(dataDir: string, { withFile }: IndexSelection, check: FileCheck): string[] {
  const lists = readCatalogueKeysIfUsable(dataDir, offlineFileKind, check) ?? [];
  const digests = new Map(lists.map(({ identifier, textDigest }) => [identifier, textDigest]));
  const texts = readCatalogueKeys(dataDir, textKind, check).filter(({ identifier, textDigest }) =>
    check === 'sizes' ? (digests.get(identifier) ?? textDigest) !== textDigest : digests.has(identifier),
  );
  const kept = new Set(withFile(texts).map(({ identifier }) => identifier));
  return texts.map(({ identifier }) => identifier).filter((identifier) => !kept.has(identifier));
}

/** Removes the lists of these packages. `removeUnusedPackages` later removes packages that are in no list. */
async function removeWithdrawnPackages(
  selection: IndexSelection,
  { dataDir, check, log }: BuildOptions,
): Promise<void> {
  const withdrawn = withdrawnTranslations(dataDir, selection, check);
  if (withdrawn.length === 0) return;
  await withFolderLock(dataDir, { log }, () => removeTranslationFiles(dataDir, offlineFileKind, withdrawn, { log }));
  for (const identifier of withdrawn)
    log(`removed the offline packages of ${identifier}: OFFLINE_TRANSLATIONS does not allow them, or it is restricted`);
}

/** Removes packages a week after they were replaced (old URLs work until then), and at once those without a list. */
async function removeUnusedPackages(built: readonly string[], options: BuildOptions): Promise<void> {
  const { dataDir, log } = options;
  if (unusedPackages(built, options).length === 0) return;
  await withFolderLock(dataDir, { log }, async () => {
    for (const file of unusedPackages(built, options)) rmSync(file, { force: true });
    for (const identifier of translationFolders(dataDir)) {
      const folder = packagesFolder(dataDir, identifier);
      for (const each of [...pathsIn(folder), folder, translationFolder(dataDir, identifier)])
        if (existsSync(each) && readdirSync(each).length === 0) rmdirSync(each);
    }
  });
}

function unusedPackages(built: readonly string[], { dataDir, check, now }: BuildOptions): string[] {
  const rows = new Map(readCatalogueIfUsable(dataDir, offlineFileKind)?.map((row) => [row.identifier, row]));
  return translationFolders(dataDir).flatMap((identifier) => {
    const row = rows.get(identifier);
    // If `check` is `sizes`, the old packages of other translations stay until a call with another check.
    if (row && check === 'sizes' && !built.includes(identifier)) return [];
    const folder = packagesFolder(dataDir, identifier);
    const current = new Set(row ? parseOfflineEntry(row).packages.map((each) => join(folder, packageName(each))) : []);
    return pathsIn(folder)
      .flatMap(pathsIn)
      .filter((file) => !current.has(file) && (!row || now() - statSync(file).mtimeMs > keepReplacedMs));
  });
}

const pathsIn = (folder: string): string[] =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
