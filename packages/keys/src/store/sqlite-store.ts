import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { KeyRecord } from '../keys-types';
import { keyColumns } from './key-queries';
import type { KeyStore, SqlScript, SqlStatement } from './key-store';
import { sqliteSchemaSteps } from './sqlite-schema-steps';

/** About half a kilobyte each. */
const mostCachedKeys = 5_000;

/** Keys in a SQLite file that several processes of one machine share; made when it is not there. */
export function openSqliteStore(file: string): KeyStore {
  const db = openDatabase(file);
  const byDigest = db.prepare<[Buffer], KeyRecord>(`SELECT ${keyColumns} FROM api_key WHERE digest = ?`);
  // Good keys alone, or the time taken would tell revoked ones from those that never were.
  const goodKeys = new LRUCache<string, KeyRecord>({ max: mostCachedKeys });
  const dataVersion = db.prepare<[], number>('PRAGMA data_version').pluck();
  let cachedVersion = dataVersion.get();
  // As many as there are texts in the code.
  const prepared = new Map<string, Database.Statement>();

  const rows = ({ text, values }: SqlStatement): unknown[] => {
    const statement = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, statement);
    const named = Object.fromEntries(values.map((value, index) => [String(index + 1), value]));
    if (statement.reader) return statement.all(named);
    statement.run(named);
    return [];
  };

  function run<Result>(work: SqlScript<Result>): Result {
    let step = work.next([]);
    while (step.done !== true) step = work.next(rows(step.value));
    return step.value;
  }

  return {
    /** What is cached is trusted while no other connection has written (data_version says so for less than half of what the look-up takes) and this one has not. */
    keyByDigest(digest) {
      const version = dataVersion.get();
      if (version !== cachedVersion) goodKeys.clear();
      cachedVersion = version;
      const digestText = digest.toString('latin1');
      const cached = goodKeys.get(digestText);
      if (cached) return cached;
      const key = byDigest.get(digest) ?? null;
      if (key?.revokedAt === null) goodKeys.set(digestText, key);
      return key;
    },
    read: async (work) => db.transaction(() => run(work)).deferred(),
    // Immediate: a transaction that reads first and writes then could find, when it writes, that another process has written between.
    async write(work) {
      goodKeys.clear();
      return db.transaction(() => run(work)).immediate();
    },
    close: async () => {
      db.close();
    },
  };
}

function openDatabase(file: string): Database.Database {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Made before SQLite makes it, for its owner alone: it holds people's addresses. SQLite gives its other files the same mode.
    closeSync(openSync(file, 'a', 0o600));
    return brought(new Database(file, { timeout: 5_000 }), file);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    // What the system refuses, or SQLite because of it, is no fault of what stands in the file.
    const isRefused = /^E[A-Z]+$|^SQLITE_(CANTOPEN|READONLY|PERM)/.test(code);
    throw new Error(
      `The key store ${file} cannot be used (${message}). ${isRefused ? 'See to the permissions of the file and its folder, or name another folder with LECTERN_DATA.' : 'Restore it from a backup.'}`,
      { cause: error },
    );
  }
}

/** Brings the file to the newest layout. It is touched only when it is sure that it is ours. */
function brought(db: Database.Database, file: string): Database.Database {
  try {
    db.transaction(() => {
      const version = Number(db.pragma('user_version', { simple: true }));
      const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
      const isOurs =
        tables.length === 0
          ? version === 0
          : tables.includes('api_key') && version >= 1 && version <= sqliteSchemaSteps.length;
      if (!isOurs)
        throw new Error(
          `it has layout ${version}, this version of Lectern reads 1 to ${sqliteSchemaSteps.length}: ${file} is another program's or another version's`,
        );
      for (const step of sqliteSchemaSteps.slice(version)) db.exec(step);
      if (version < sqliteSchemaSteps.length) db.pragma(`user_version = ${sqliteSchemaSteps.length}`);
    }).immediate();
    // WAL: the command writes while the gateway reads. FULL: with less, a power cut could take back a revocation that was told done.
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}
