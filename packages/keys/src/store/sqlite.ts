import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from '@lectern/serving';
import { createOutageReporter, errorMessage } from '@lectern/serving';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { KeyRecord } from '../types';
import { KeyStoreUnavailableError } from '../types';
import type { KeyStore, SqlScript, SqlStatement } from './queries';
import { keyColumns } from './queries';
import { createReplacedFileCheck } from './replaced-file';

/**
 * Steps that create and upgrade the tables of a SQLite file. The pragma user_version has the number
 * of applied steps. A released step never changes, because files that applied the step exist.
 */
const sqliteSchemaSteps: readonly string[] = [
  `CREATE TABLE api_key (
    id TEXT PRIMARY KEY,
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE,
    last4 TEXT NOT NULL,
    created_at TEXT NOT NULL,
    revoked_at TEXT
  ) STRICT;
  CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;`,

  `ALTER TABLE api_key ADD COLUMN requests_per_day INTEGER CHECK (requests_per_day > 0);

  CREATE TABLE key_request (
    id TEXT PRIMARY KEY,
    environment TEXT NOT NULL CHECK (environment IN ('live', 'test')),
    email TEXT NOT NULL,
    address TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    created_at TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'rejected')),
    decided_at TEXT,
    decided_by TEXT,
    reason TEXT,
    key_id TEXT REFERENCES api_key (id) DEFERRABLE INITIALLY DEFERRED,
    delivered_at TEXT,
    delivery_fault TEXT,
    CHECK ((state = 'pending') = (decided_at IS NULL)),
    CHECK ((state = 'approved') = (key_id IS NOT NULL))
  ) STRICT;
  CREATE UNIQUE INDEX one_request_an_address ON key_request (address, environment) WHERE state = 'pending';
  CREATE INDEX key_request_by_key ON key_request (key_id);

  CREATE TABLE audit_entry (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,
    by_whom TEXT NOT NULL,
    act TEXT NOT NULL,
    key_id TEXT,
    request_id TEXT,
    note TEXT NOT NULL
  ) STRICT;

  CREATE TABLE operator_session (
    digest BLOB PRIMARY KEY,
    proof BLOB NOT NULL,
    expires_at TEXT NOT NULL
  ) STRICT;`,

  'ALTER TABLE api_key ADD COLUMN requests_per_minute INTEGER CHECK (requests_per_minute > 0)',

  `ALTER TABLE api_key ADD COLUMN documents TEXT NOT NULL DEFAULT 'any' CHECK (documents IN ('any', 'trusted'))`,
];

/** The maximum number of cached keys, of about half a kilobyte each. */
const maxCachedKeys = 5_000;

/** The time for which a write waits while another process has locked the file, in milliseconds. */
const lockTimeoutMs = 5_000;
/** The time between two attempts to lock the file, in milliseconds. */
const lockPauseMs = 20;
/**
 * The time for which SQLite itself waits for a lock, in milliseconds. It is short, because SQLite
 * blocks the event loop while it waits.
 */
const blockingTimeoutMs = 5;

/** Opens, or creates, a SQLite file of keys that several processes of one machine share. */
export function openSqliteStore(file: string, log: Logger): KeyStore {
  const db = openDatabase(file);
  const outage = createOutageReporter(log, {
    began: 'the key store cannot be written: pages that change it are rejected with 503',
    ended: 'the key store can be written again',
  });
  const byDigest = db.prepare<[Buffer], KeyRecord>(`SELECT ${keyColumns} FROM api_key WHERE digest = ?`);
  // Only active keys are cached. If revoked keys were cached too, they would be rejected faster
  // than unknown keys, and the response time would reveal that the key existed.
  const activeKeys = new LRUCache<string, KeyRecord>({ max: maxCachedKeys });
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let cachedVersion = dataVersion.get();
  // The check is created after the first read (`dataVersion.get()`), because SQLite opens the -wal
  // file with this read.
  const replacedFileCheck = createReplacedFileCheck(file, log);
  // The prepared statements by their text. The map needs no bound, because the code has a fixed
  // number of texts.
  const prepared = new Map<string, Database.Statement>();

  const execute = ({ text, values }: SqlStatement): unknown[] => {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    const parameters = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
    if (statement.reader) return statement.all(parameters);
    statement.run(parameters);
    return [];
  };

  function run<Result>(script: SqlScript<Result>): Result {
    let step = script.next([]);
    while (step.done !== true) step = script.next(execute(step.value));
    return step.value;
  }

  let isClosed = false;
  const rejectIfUnavailable = () => {
    if (isClosed) throw new KeyStoreUnavailableError(`The key store ${file} is closed.`);
    replacedFileCheck.rejectIfReplaced();
  };
  /**
   * Resolves when all writes so far have ended. Only one waiting write at a time tries to lock the
   * file.
   */
  let writesSoFar: Promise<unknown> = Promise.resolve();

  /**
   * Runs the script in a transaction. Returns null, and does not begin the script, if another
   * process has locked the file. The transaction is immediate: with a deferred transaction, another
   * process could write between the script's reads and its first write.
   */
  function tryWrite<Result>(script: SqlScript<Result>): { readonly result: Result } | null {
    rejectIfUnavailable();
    let hasBegun = false;
    try {
      const transaction = db.transaction(() => {
        hasBegun = true;
        activeKeys.clear();
        return run(script);
      });
      return { result: transaction.immediate() };
    } catch (error) {
      if (!hasBegun && codeOf(error).startsWith('SQLITE_BUSY')) return null;
      throw error;
    }
  }

  /**
   * Saves the changes of the -wal file in the open file, which may be moved back later, and deletes
   * the -wal and -shm files. SQLite does neither when it closes a file that is no longer at its
   * path.
   */
  function leaveReplacedFile(): void {
    try {
      db.pragma('wal_checkpoint(TRUNCATE)');
    } finally {
      replacedFileCheck.deleteSideFiles();
    }
  }

  return {
    /**
     * Finds a key by its digest. Trusts the cache while no other connection and no `write` of this
     * store has changed the file. SQLite's data_version reports changes of other connections in
     * less than half the time of a lookup.
     */
    keyByDigest(digest) {
      rejectIfUnavailable();
      const version = dataVersion.get();
      if (version !== cachedVersion) activeKeys.clear();
      cachedVersion = version;
      const cacheKey = digest.toString('latin1');
      const cached = activeKeys.get(cacheKey);
      if (cached) return cached;
      const key = byDigest.get(digest) ?? null;
      if (key?.revokedAt === null) activeKeys.set(cacheKey, key);
      return key;
    },
    async read(script) {
      rejectIfUnavailable();
      return db.transaction(() => run(script)).deferred();
    },
    async write(script) {
      rejectIfUnavailable();
      const until = performance.now() + lockTimeoutMs;
      const write = writesSoFar.then(() => untilUnlocked(() => tryWrite(script), until));
      writesSoFar = write.catch(() => undefined);
      try {
        const { result } = await write;
        outage.end();
        return result;
      } catch (error) {
        const [code, message] = [codeOf(error), (error as Error).message];
        if (!temporaryCodes.test(code)) throw error;
        outage.begin(message);
        throw new KeyStoreUnavailableError(`The key store ${file} cannot be written (${message}). ${adviceFor(code)}`, {
          cause: error,
        });
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      try {
        if (!replacedFileCheck.isInPlace()) leaveReplacedFile();
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

/**
 * Repeats the attempt until it returns a result, and leaves the event loop free meanwhile. Throws
 * the error of SQLite for a locked file if the file is still locked at the time `until`.
 */
async function untilUnlocked<Result>(attempt: () => Result | null, until: number): Promise<Result> {
  for (;;) {
    const result = attempt();
    if (result !== null) return result;
    if (performance.now() > until) throw new Database.SqliteError('database is locked', 'SQLITE_BUSY');
    await setTimeout(lockPauseMs);
  }
}

/** The codes of errors after which a later write may succeed. */
const temporaryCodes = /^SQLITE_(FULL|BUSY|IOERR|READONLY|CANTOPEN)/;

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** Returns what the operator has to do after an error of SQLite or of the operating system. */
function adviceFor(code: string): string {
  if (/^(SQLITE_FULL|ENOSPC|EDQUOT)$/.test(code)) return 'Free some space on its disk.';
  if (code.startsWith('SQLITE_BUSY')) return 'Another process has locked the file: wait for it, or stop it.';
  if (code.startsWith('SQLITE_IOERR')) return 'Check its disk, which may be full.';
  // After an error of the operating system, such as a missing permission, the file may be intact.
  // SQLite reports some of these errors under its own codes.
  return /^E[A-Z]+$|^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code)
    ? 'Check the permissions of the file and its folder, or name another folder with LECTERN_DATA.'
    : 'Restore it from a backup.';
}

function openDatabase(file: string): Database.Database {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Creates the file with mode 0600 before SQLite creates it, because it contains email
    // addresses. SQLite gives the same mode to the -wal and -shm files.
    closeSync(openSync(file, 'a', 0o600));
    const db = migrated(new Database(file, { timeout: lockTimeoutMs }), file);
    db.pragma(`busy_timeout = ${blockingTimeoutMs}`);
    return db;
  } catch (error) {
    throw new Error(`The key store ${file} cannot be used (${(error as Error).message}). ${adviceFor(codeOf(error))}`, {
      cause: error,
    });
  }
}

/**
 * Upgrades the file to the newest layout. Changes nothing unless the file is empty or certainly a
 * key store.
 */
function migrated(db: Database.Database, file: string): Database.Database {
  try {
    db.transaction(() => {
      const version = Number(db.pragma('user_version', { simple: true }));
      const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
      const isKeyStore = tables.includes('api_key') && version >= 1 && version <= sqliteSchemaSteps.length;
      const isEmpty = tables.length === 0 && version === 0;
      if (!isEmpty && !isKeyStore)
        throw new Error(
          `it has layout ${version}, this version of Lectern reads 1 to ${sqliteSchemaSteps.length}: ${file} is another program's or another version's`,
        );
      for (const step of sqliteSchemaSteps.slice(version)) db.exec(step);
      if (version < sqliteSchemaSteps.length) db.pragma(`user_version = ${sqliteSchemaSteps.length}`);
    }).immediate();
    // WAL lets the `keys` command write while the gateway reads. With a weaker mode than FULL, a
    // power cut could undo a revocation that was already reported as done.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}
