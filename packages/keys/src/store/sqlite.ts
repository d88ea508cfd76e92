import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createOutageReporter, errorMessage, type Logger } from '@lectern/serving';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { KeyStoreUnavailableError } from '../types';
import { createReplacedFileCheck } from './detect-replacement';
import { type KeyStore, keyOfToken, type SqlScript, type SqlStatement, selectByToken, type TokenRow } from './queries';
import { sqliteSteps } from './schema';

/** The maximum number of cached keys. Each takes about half a kilobyte. */
const maxCachedKeys = 5_000;

/** How long a write waits while another process has locked the file, in milliseconds. */
const lockTimeoutMs = 5_000;
const lockPauseMs = 20;
/** In milliseconds. It is short, because SQLite blocks the event loop while it waits. */
const blockingTimeoutMs = 5;

/** Matches the codes of errors after which a later write may succeed. */
const temporaryCodes = /^SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)/;

/** Opens or creates a SQLite file with keys. Several processes on one machine may share the file. */
export function openSqliteStore(file: string, log: Logger): KeyStore {
  const db = openDatabase(file);
  const outage = createOutageReporter(log, {
    began: 'the key store cannot be written: pages that change it are rejected with 503',
    ended: 'the key store can be written again',
  });
  const byDigest = db.prepare<[Record<string, Buffer>], TokenRow>(selectByToken('= $1'));
  // Only tokens that work are cached: a faster rejection would reveal that the key once existed.
  const activeKeys = new LRUCache<string, Omit<TokenRow, 'tokenDigest'>>({ max: maxCachedKeys });
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let cachedVersion = dataVersion.get();
  // After `dataVersion.get()`, the first read, at which SQLite opens the -wal file.
  const replacedFileCheck = createReplacedFileCheck(file, log);
  const run = createScriptRunner(db);
  let isClosed = false;
  /** Resolves when all earlier writes have ended, so that one at a time locks the file. */
  let writesSoFar: Promise<unknown> = Promise.resolve();

  function rejectIfUnavailable(): void {
    if (isClosed) throw new KeyStoreUnavailableError(`The key store ${file} is closed.`);
    replacedFileCheck.rejectIfReplaced();
  }

  /**
   * Runs a script in a transaction, or returns null if another process has locked the file. It locks the file at its
   * start, so that nobody writes between its reads and its first write.
   */
  function tryWrite<Result>(script: SqlScript<Result>): { readonly result: Result } | null {
    rejectIfUnavailable();
    let hasBegun = false;
    const transaction = db.transaction(() => {
      hasBegun = true;
      activeKeys.clear();
      return run(script);
    });
    try {
      return { result: transaction.immediate() };
    } catch (error) {
      if (!hasBegun && codeOf(error).startsWith('SQLITE_BUSY')) return null;
      throw error;
    }
  }

  return {
    /** The cache is valid while data_version is the same. Reading it takes half the time of a lookup. */
    keyByDigest(digest, at) {
      rejectIfUnavailable();
      const version = dataVersion.get();
      if (version !== cachedVersion) activeKeys.clear();
      cachedVersion = version;
      const cacheKey = digest.toString('latin1');
      const cached = activeKeys.get(cacheKey);
      const cachedKey = cached ? keyOfToken(cached, at) : null;
      if (cachedKey) return cachedKey;
      const found = byDigest.get({ 1: digest });
      if (!found) return null;
      const { tokenDigest, ...row } = found;
      const key = keyOfToken(row, at);
      if (key) activeKeys.set(tokenDigest.toString('latin1'), row);
      return key;
    },
    async read(script) {
      rejectIfUnavailable();
      return db.transaction(() => run(script)).deferred();
    },
    async write(script) {
      rejectIfUnavailable();
      const until = performance.now() + lockTimeoutMs;
      const write = writesSoFar.then(() => writeUntil(() => tryWrite(script), until));
      writesSoFar = write.catch(() => undefined);
      try {
        const result = await write;
        outage.end();
        return result;
      } catch (error) {
        if (!temporaryCodes.test(codeOf(error))) throw error;
        outage.begin(errorMessage(error));
        throw new KeyStoreUnavailableError(describeFailure(file, 'written', error), { cause: error });
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      try {
        if (!replacedFileCheck.isInPlace()) leaveReplacedFile(db, replacedFileCheck.deleteSideFiles);
      } catch (error) {
        log.warn(
          { reason: errorMessage(error) },
          `if the key store was replaced, delete ${file}-wal and ${file}-shm before the next start`,
        );
      } finally {
        db.close();
      }
    },
  };
}

/** Creates the function that executes a script, without a transaction of its own. */
function createScriptRunner(db: Database.Database) {
  // This map needs no maximum size, because the code has a fixed number of statements.
  const prepared = new Map<string, Database.Statement>();

  function execute({ text, values }: SqlStatement): unknown[] {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    const parameters = Object.fromEntries(values.map((value, index) => [index + 1, value]));
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  }

  return <Result>(script: SqlScript<Result>): Result => {
    let step = script.next([]);
    while (step.done !== true) step = script.next(execute(step.value));
    return step.value;
  };
}

/** Repeats `tryWrite` until the file is not locked. The event loop is free between two attempts. */
async function writeUntil<Result>(tryWrite: () => { readonly result: Result } | null, until: number): Promise<Result> {
  for (;;) {
    const written = tryWrite();
    if (written) return written.result;
    if (performance.now() > until) throw new Database.SqliteError('database is locked', 'SQLITE_BUSY');
    await setTimeout(lockPauseMs);
  }
}

/**
 * Completes a replaced file, which somebody may move back, and deletes its side files. SQLite does neither by itself.
 */
function leaveReplacedFile(db: Database.Database, deleteSideFiles: () => void): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    deleteSideFiles();
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

const describeFailure = (file: string, use: 'used' | 'written', error: unknown): string =>
  `The key store ${file} cannot be ${use} (${errorMessage(error)}). ${adviceFor(codeOf(error))}`;

function adviceFor(code: string): string {
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return 'Free some space on its disk.';
  if (code.startsWith('SQLITE_BUSY')) return 'Another process has locked the file: wait for it, or stop it.';
  if (code.startsWith('SQLITE_IOERR')) return 'Check its disk, which may be full.';
  // These codes say that the file cannot be accessed, so it may be intact and needs no backup.
  return /^E[A-Z]+$|^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)
    ? 'Check the permissions of the file and its folder, or name another folder with LECTERN_DATA.'
    : 'Restore it from a backup.';
}

function openDatabase(file: string): Database.Database {
  let db: Database.Database | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // SQLite would make the file readable for others, but it contains email addresses.
    closeSync(openSync(file, 'a', 0o600));
    db = new Database(file, { timeout: lockTimeoutMs });
    db.transaction(upgrade).immediate(db, file);
    // With WAL, the `keys` command can write while the gateway reads. With less than FULL, a power failure could undo a
    // revocation that was reported as done.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    db.pragma(`busy_timeout = ${blockingTimeoutMs}`);
    return db;
  } catch (error) {
    db?.close();
    throw new Error(describeFailure(file, 'used', error), { cause: error });
  }
}

/** Creates or upgrades the tables. Throws for a file that is no key store. user_version counts the applied steps. */
function upgrade(db: Database.Database, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }));
  const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  const isKeyStore = tables.includes('api_key') && version >= 1 && version <= sqliteSteps.length;
  const isEmpty = tables.length === 0 && version === 0;
  if (!isEmpty && !isKeyStore)
    throw new Error(
      `it has layout ${version}, this version of Lectern reads 1 to ${sqliteSteps.length}: ${file} is another program's or another version's`,
    );
  for (const step of sqliteSteps.slice(version)) db.exec(step);
  if (version < sqliteSteps.length) db.pragma(`user_version = ${sqliteSteps.length}`);
}
