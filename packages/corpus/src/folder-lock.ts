import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { partSuffix } from './write-corpus';

const lockFile = '.lock';
const retryMs = 200;

export interface LockOptions {
  log: (line: string) => void;
  /** How long another process may hold the folder before we give up. */
  waitMs?: number;
}

/**
 * One process at a time makes or changes what is in the data folder. The lock is SQLite's on an empty file, so it
 * is gone with the process that held it, however it ended. Whatever a process cut off left half done goes first.
 */
export async function withFolderLock<Result>(dataDir: string, options: LockOptions, work: () => Promise<Result>): Promise<Result> {
  mkdirSync(dataDir, { recursive: true });
  const db = new Database(join(dataDir, lockFile), { timeout: 0 });
  try {
    await acquire(db, dataDir, options);
    clearParts(dataDir);
    return await work();
  } finally {
    db.close();
  }
}

async function acquire(db: Database.Database, dataDir: string, { log, waitMs = 15 * 60_000 }: LockOptions): Promise<void> {
  const deadline = Date.now() + waitMs;
  for (let waited = false; ; waited = true) {
    try {
      db.exec('BEGIN EXCLUSIVE');
      return;
    } catch (error) {
      if (!String((error as { code?: unknown }).code).startsWith('SQLITE_BUSY')) throw error;
    }
    if (Date.now() > deadline) throw new Error(`another process has been working in ${dataDir} for ${Math.round(waitMs / 1000)} seconds`);
    if (!waited) log(`another process works in ${dataDir}: waiting for it`);
    await sleep(retryMs);
  }
}

/** Under the lock, nobody is writing: a part is what a killed process left. Only names that we give are touched. */
function clearParts(dataDir: string): void {
  for (const name of entriesOf(dataDir)) {
    if (name.startsWith('corpus.sqlite.') && (name.endsWith(partSuffix) || name.endsWith(`${partSuffix}-journal`))) rmSync(join(dataDir, name), { force: true });
  }
  const sources = join(dataDir, 'sources');
  for (const name of entriesOf(sources)) {
    if (name.endsWith(partSuffix)) rmSync(join(sources, name), { recursive: true, force: true });
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
