import { closeSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { type ChecksummedFileKind, checksummedFileError } from './errors';
import { isPartFile, writeChecksummedFile } from './write-file';

const retryMs = 200;
const defaultWaitMs = 15 * 60_000;

export interface LockOptions {
  /** Receives one line if this process has to wait for another process that holds the lock. */
  log: (line: string) => void;
  /** The maximum time to wait for another process to release the lock, in milliseconds. */
  waitMs?: number;
  /** The translations in whose folders unfinished files are deleted. By default all. */
  translations?: string[];
  now?: () => number;
  sleep?: (ms: number) => Promise<unknown>;
}

/**
 * Runs `work` with the lock of a folder, which it creates if missing. First deletes the unfinished files of killed
 * processes. Rejects if another process holds the lock longer than `waitMs`, and with a ChecksummedFileError if the
 * folder cannot be created or written. Not reentrant. The lock is SQLite's on an empty file, so that the operating
 * system releases it even after SIGKILL.
 */
export async function withFolderLock<Result>(
  folder: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  const db = openLockFile(folder);
  try {
    await acquire(db, folder, options);
    for (const file of unfinishedFiles(folder, options.translations)) rmSync(file, { force: true });
    return await work();
  } finally {
    db.close();
  }
}

/** Returns the unfinished files in a folder. The caller must hold its lock, so that nobody writes them. */
export function unfinishedFiles(dataDir: string, translations?: readonly string[]): string[] {
  // Only names of existing folders are used, so an identifier such as ../x from a command line cannot become a path.
  const identifiers = translationFolders(dataDir).filter((name) => !translations || translations.includes(name));
  return [dataDir, ...identifiers.map((identifier) => translationFolder(dataDir, identifier))].flatMap((folder) =>
    namesIn(folder)
      .filter(isPartFile)
      .map((name) => join(folder, name)),
  );
}

/** Returns the names in a folder. Returns [] if the folder does not exist or is a file. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOTDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

function openLockFile(folder: string): Database.Database {
  try {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, '.lock');
    closeSync(openSync(file, 'a'));
    return new Database(file, { timeout: 0 });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw checksummedFileError(
      code === 'EEXIST' || code === 'ENOTDIR'
        ? `${folder} is not a folder: move away the file of that name, or name a folder with LECTERN_DATA`
        : `${folder} cannot be written (${code ?? message}): check its permissions, or name another folder with LECTERN_DATA`,
    );
  }
}

/** The functions that received the line about waiting. A command that takes the lock several times needs it once. */
const told = new WeakSet<LockOptions['log']>();

async function acquire(
  db: Database.Database,
  folder: string,
  { log, waitMs = defaultWaitMs, now = () => performance.now(), sleep = wait }: LockOptions,
): Promise<void> {
  const deadline = now() + waitMs;
  while (!tryAcquire(db)) {
    if (now() > deadline)
      throw new Error(`another process has been working in ${folder} for ${Math.round(waitMs / 1000)} seconds`);
    if (!told.has(log)) log(`another process works in ${folder}: waiting for it`);
    told.add(log);
    await sleep(retryMs);
  }
}

function tryAcquire(db: Database.Database): boolean {
  try {
    // The journal is in memory, because a journal file could not be written on a full disk.
    db.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if (String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) return false;
    throw error;
  }
}

/** A kind of file with one subgraph's data of one translation. Each translation has its own file. */
export interface TranslationFileKind extends ChecksummedFileKind {
  /** The name of the file in the translation's folder, without `.sqlite`. */
  readonly fileName: string;
}

/** The entries in the manifest (a table of the file) that the file of each translation has. */
export interface TranslationManifest extends Readonly<Record<string, string>> {
  readonly identifier: string;
  /** The digest of the text from which the file was made. */
  readonly textDigest: string;
  /** The catalogue entry as JSON. The catalogue copies it, so that listing translations does not open their files. */
  readonly entry: string;
  /** The time at which the file was built: ISO 8601, in UTC. */
  readonly builtAt: string;
}

export const translationFolder = (dataDir: string, identifier: string): string =>
  join(dataDir, 'translations', identifier);

export const translationFile = (dataDir: string, { fileName }: TranslationFileKind, identifier: string): string =>
  join(translationFolder(dataDir, identifier), `${fileName}.sqlite`);

/** Returns the identifiers of translations that have a folder, sorted. */
export const translationFolders = (dataDir: string): string[] =>
  namesIn(join(dataDir, 'translations'))
    .filter((name) => /^[a-z0-9]/.test(name))
    .sort();

/** Writes a translation's file. The caller must hold the folder's lock, and then call `updateCatalogue`. */
export function writeTranslationFile(
  dataDir: string,
  kind: TranslationFileKind,
  identifier: string,
  fill: (db: Database.Database) => TranslationManifest,
): Promise<TranslationManifest> {
  const file = translationFile(dataDir, kind, identifier);
  mkdirSync(dirname(file), { recursive: true });
  return writeChecksummedFile(file, kind, fill);
}
