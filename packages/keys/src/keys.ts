import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { digestOf, isGenuine, newToken } from './token';
import type { Environment } from './token';

/** What people see of a key. The token itself is shown once, when it is issued, and kept nowhere. */
export interface KeyRecord {
  readonly id: string;
  readonly environment: Environment;
  readonly email: string;
  readonly name: string;
  /** The last four characters of the token, to tell keys apart. */
  readonly last4: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC; null while the key is good. */
  readonly revokedAt: string | null;
}

export type Authentication =
  | { readonly kind: 'caller'; readonly key: KeyRecord }
  | { readonly kind: 'unknown' }
  /** A good key, but of the other environment. */
  | { readonly kind: 'other-environment' };

export interface KeysOptions {
  /** The SQLite file; made when it is not there. */
  file: string;
  pepper: string;
  now?: () => Date;
}

/** A fault of the person at the command line, in words for that person. */
export class KeyRequestError extends Error {
  override readonly name = 'KeyRequestError';
}

const schemaVersion = 1;
const schema = `
  CREATE TABLE api_key (
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
  CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;
  PRAGMA user_version = ${schemaVersion};`;

const columns = 'id, environment, email, name, last4, created_at AS createdAt, revoked_at AS revokedAt';
const mostEmailLength = 254;

/**
 * API keys in a SQLite file that several processes may share. Every call reads the file, so a revocation by another process holds
 * from the next request on.
 */
export function openKeys({ file, pepper, now = () => new Date() }: KeysOptions) {
  const db = openDatabase(file);
  const byDigest = db.prepare<[Buffer], KeyRecord>(`SELECT ${columns} FROM api_key WHERE digest = ?`);
  const all = db.prepare<[], KeyRecord>(`SELECT ${columns} FROM api_key ORDER BY created_at, id`);
  const standing = db.prepare<[string, Environment], KeyRecord>(`SELECT ${columns} FROM api_key WHERE address = ? AND environment = ? AND revoked_at IS NULL`);
  const insert = db.prepare('INSERT INTO api_key (id, environment, email, address, name, digest, last4, created_at) VALUES (@id, @environment, @email, @address, @name, @digest, @last4, @createdAt)');
  const revoke = db.prepare<[string, string]>('UPDATE api_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');

  return {
    /** Unknown, malformed, forged and revoked tokens of either environment are told apart neither by the answer nor by the time it takes. */
    authenticate(token: string | null, environment: Environment): Authentication {
      const genuine = isGenuine(token ?? '', pepper);
      const key = byDigest.get(digestOf(token ?? '', pepper));
      if (!genuine || !key || key.revokedAt !== null) return { kind: 'unknown' };
      return key.environment === environment ? { kind: 'caller', key } : { kind: 'other-environment' };
    },

    /** The token is in this answer alone. Throws a KeyRequestError for a bad address and for one that has a key. */
    issue({ email, name, environment }: { email: string; name: string; environment: Environment }): { key: KeyRecord; token: string } {
      const address = checkedEmail(email);
      const owner = checkedName(name);
      const token = newToken(environment, pepper);
      const key: KeyRecord = { id: randomUUID(), environment, email: address, name: owner, last4: token.slice(-4), createdAt: now().toISOString(), revokedAt: null };
      try {
        insert.run({ ...key, address: addressOf(address), digest: digestOf(token, pepper) });
      } catch (error) {
        if (sqliteCode(error) !== 'SQLITE_CONSTRAINT_UNIQUE') throw error;
        const held = standing.get(addressOf(address), environment);
        throw new KeyRequestError(`${address} has a ${environment} key already${held ? ` (${held.id}, ends in ${held.last4})` : ''}. Revoke it first: keys revoke ${held?.id ?? 'ID'}`);
      }
      return { key, token };
    },

    /** Every key that was ever issued, oldest first. */
    list: (): KeyRecord[] => all.all(),

    /** Takes an id, a whole token, or the last four characters where they are unique. The revoked key; revoking twice is a KeyRequestError. */
    revoke(which: string): KeyRecord {
      const key = find(which);
      const revokedAt = now().toISOString();
      if (revoke.run(revokedAt, key.id).changes === 0) throw new KeyRequestError(`Key ${key.id} is revoked already (${key.revokedAt ?? 'just now'}).`);
      return { ...key, revokedAt };
    },

    close(): void {
      db.close();
    },
  };

  function find(which: string): KeyRecord {
    const byToken = byDigest.get(digestOf(which, pepper));
    if (byToken) return byToken;
    const found = all.all().filter((key) => key.id === which || key.last4 === which);
    const [only] = found;
    if (only && found.length === 1) return only;
    if (found.length > 1) throw new KeyRequestError(`Several keys end in ${which}. Name one by its id: ${found.map((key) => key.id).join(', ')}`);
    throw new KeyRequestError(`No key has the id or the ending '${which.length > 40 ? `${which.slice(0, 8)}...` : which}'. See: keys list`);
  }
}

export type Keys = ReturnType<typeof openKeys>;

/** One address in any case of its letters. SQLite's own lower() knows ASCII alone. */
const addressOf = (email: string): string => email.normalize('NFC').toLowerCase();

function openDatabase(file: string): Database.Database {
  try {
    mkdirSync(dirname(file), { recursive: true });
    // Made before SQLite makes it, for its owner alone: it holds people's addresses. SQLite gives its other files the same mode.
    closeSync(openSync(file, 'a', 0o600));
    return prepared(new Database(file, { timeout: 5_000 }), file);
  } catch (error) {
    if (error instanceof KeyRequestError) throw error;
    throw new Error(`The key store ${file} cannot be used (${error instanceof Error ? error.message : String(error)}). Restore it from a backup, or see to its permissions.`, { cause: error });
  }
}

function prepared(db: Database.Database, file: string): Database.Database {
  try {
    db.transaction(() => {
      const version = db.pragma('user_version', { simple: true });
      const isEmpty = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
      if (isEmpty) db.exec(schema);
      else if (version !== schemaVersion) throw new Error(`it has layout ${String(version)}, this version of Lectern reads ${schemaVersion}: ${file} is another program's or another version's`);
    }).immediate();
    // WAL: the command writes while the gateway reads. Only now, when it is sure that the file is ours.
    db.pragma('journal_mode = WAL');
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

function checkedEmail(text: string): string {
  const email = text.trim();
  // Whether the address exists, mail will tell; here only what could never be one, or could smuggle a header, is refused.
  if (email.length > mostEmailLength || !/^[^\s@<>,;:"\p{Cc}]+@[^\s@<>,;:"\p{Cc}]+$/u.test(email)) throw new KeyRequestError(`'${email.slice(0, 60)}' is not an email address.`);
  return email;
}

function checkedName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200 || /\p{Cc}/u.test(name)) throw new KeyRequestError('The name must have 1 to 200 characters, on one line.');
  return name;
}

// By its code: where the module was loaded twice, its classes are two.
const sqliteCode = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
