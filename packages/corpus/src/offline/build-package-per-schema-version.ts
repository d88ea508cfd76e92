import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  explainWriteError,
  readChecksummedFileManifest,
  translationFile,
  translationFolder,
  writeTranslationFile,
} from '@lectern/data-files';
import { gzipSync } from 'fflate';
import type { BuildIndex } from '../indexes';
import { type OfflineEntry, type OfflinePackage, offlineFileKind, packageFile, parseOfflineEntry } from './list';
import { type PackageSource, schemaVersions, writePackage } from './package';

/** Builds the offline packages of one translation, then the file that lists them. */
export const buildPackages: BuildIndex = async ({ dataDir, corpus, identifier }) => {
  const startedAt = performance.now();
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  const updatedAt = `${new Date().toISOString().slice(0, 19)}Z`;
  const packages = schemaVersions.map((schemaVersion) =>
    buildPackage(dataDir, { corpus, translation, schemaVersion }, updatedAt),
  );
  markReplacedPackages(dataDir, identifier, packages);
  await writeTranslationFile(dataDir, offlineFileKind, identifier, () => ({
    identifier,
    textDigest: corpus.translationDigest(identifier) ?? '',
    entry: JSON.stringify({ packages } satisfies OfflineEntry),
    builtAt: updatedAt,
  }));
  const sizes = packages.map((each) => `v${each.schemaVersion} ${(each.sizeBytes / 1e6).toFixed(1)} MB`).join(', ');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `offline packages of ${identifier}: ${sizes} in ${seconds} s`;
};

/** Writes one package under the name of its digest. */
function buildPackage(dataDir: string, source: PackageSource, updatedAt: string): OfflinePackage {
  const { translation, schemaVersion } = source;
  const { identifier, verseCount } = translation;
  // If this process is killed, a later process that locks the data folder deletes files with such a
  // name (`withFolderLock`).
  const partFile = join(translationFolder(dataDir, identifier), `offline-v${schemaVersion}.sqlite.${process.pid}.part`);
  rmSync(partFile, { force: true });
  try {
    writePackage(partFile, source);
    const content = readFileSync(partFile);
    // fflate compresses to the same bytes on every machine, so that the same text has the same
    // digest. The output of zlib depends on the instructions that the processor supports.
    const compressed = gzipSync(content, { level: 9, mtime: 0 });
    const sha256 = createHash('sha256').update(compressed).digest('hex');
    const file = packageFile(dataDir, identifier, { schemaVersion, sha256 });
    writeFileSync(partFile, compressed, { flush: true });
    mkdirSync(dirname(file), { recursive: true });
    renameSync(partFile, file);
    return {
      schemaVersion,
      sha256,
      sizeBytes: compressed.length,
      uncompressedSizeBytes: content.length,
      verseCount,
      updatedAt,
    };
  } catch (error) {
    rmSync(partFile, { force: true });
    throw explainWriteError(partFile, error);
  }
}

/**
 * Sets the modification time of the packages that `packages` replace to now. `removeUnusedPackages`
 * removes them a week after this time.
 */
function markReplacedPackages(dataDir: string, identifier: string, packages: readonly OfflinePackage[]): void {
  const manifest = readChecksummedFileManifest(translationFile(dataDir, offlineFileKind, identifier), offlineFileKind);
  const entry = manifest?.get('entry');
  const current = new Set(packages.map(({ sha256 }) => sha256));
  for (const replaced of entry === undefined ? [] : parseOfflineEntry({ entry }).packages) {
    if (current.has(replaced.sha256)) continue;
    try {
      utimesSync(packageFile(dataDir, identifier, replaced), new Date(), new Date());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
