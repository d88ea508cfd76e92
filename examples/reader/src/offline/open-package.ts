import type { Database, Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import { OfflineError, offlineErrors } from './offline-error-messages';
import type { PackageFile, StoredPackage } from './package-store';
import { maxSchemaVersion } from './schema-version';
import { sha256Of } from './sha256';

/** `PRAGMA application_id` of every offline package. */
const applicationId = 0x42514c31;

/**
 * Opens a stored package: compares its digest, unpacks it into SQLite's memory (16 MB for the King
 * James Version) and checks its version. Throws an `OfflineError`.
 */
export async function openPackage(
  sqlite: Sqlite3Static,
  { translation: { name }, offer }: StoredPackage,
  file: PackageFile | null,
): Promise<Database> {
  try {
    if (file === null || (await sha256Of(file)) !== offer.sha256) throw offlineErrors.damagedFile(name);
    const db = await unpack(sqlite, file, offer.uncompressedSizeBytes);
    try {
      checkVersion(db, name);
    } catch (error) {
      db.close();
      throw error;
    }
    return db;
  } catch (error) {
    throw error instanceof OfflineError ? error : offlineErrors.damagedFile(name, error);
  }
}

function checkVersion(db: Database, name: string): void {
  if (db.selectValue('PRAGMA application_id') !== applicationId) throw offlineErrors.damagedFile(name);
  const version = Number(db.selectValue('PRAGMA user_version'));
  if (version > maxSchemaVersion) throw offlineErrors.newerSchema(name, version, maxSchemaVersion);
}

/**
 * Unpacks a gzipped SQLite file and opens it. Throws an error if the file has another size than
 * `sizeBytes`.
 */
async function unpack({ capi, oo1, wasm }: Sqlite3Static, file: PackageFile, sizeBytes: number): Promise<Database> {
  const pointer = wasm.alloc(sizeBytes);
  let isOwned = false;
  try {
    let position = 0;
    for (const reader = new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip')).getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      if (position + value.length > sizeBytes) throw new Error('The file is longer than the package.');
      wasm.heap8u().set(value, Number(pointer) + position);
      position += value.length;
    }
    if (position !== sizeBytes) throw new Error('The file is shorter than the package.');
    const db = new oo1.DB(':memory:');
    const flags = capi.SQLITE_DESERIALIZE_FREEONCLOSE | capi.SQLITE_DESERIALIZE_READONLY;
    isOwned = true;
    db.checkRc(capi.sqlite3_deserialize(db, 'main', pointer, sizeBytes, sizeBytes, flags));
    return db;
  } finally {
    if (!isOwned) wasm.dealloc(pointer);
  }
}
