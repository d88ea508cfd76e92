import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keys } from '@lectern/keys';
import { keysSettings, openKeysFromSettings } from '@lectern/keys';
import { readSettings, silentLogger } from '@lectern/serving';
import { findPostgres, startPostgres } from '@lectern/testing';
import { Client } from 'pg';
import type { Email } from 'postal-mime';
import PostalMime from 'postal-mime';
import { pepper } from './support/embedded-lectern';

export interface OpenOptions {
  /** Settings beside those that say where the keys are. */
  env?: Record<string, string>;
  now?: () => Date;
}

/** One deployment's keys, which any number of processes may open. */
export interface KeyPlace {
  /** For files; the outbox is in it. */
  folder: string;
  env: Record<string, string>;
  open(options?: OpenOptions): Promise<Keys>;
}

export interface KeyStores {
  /** A place with nothing in it. */
  empty(): Promise<KeyPlace>;
  stop(): Promise<void>;
}

function placeAt(folder: string, where: Record<string, string>): KeyPlace {
  const env = { LECTERN_DATA: folder, KEY_PEPPER: pepper, ...where };
  return {
    folder,
    env,
    open: ({ env: more = {}, now } = {}) =>
      openKeysFromSettings(readSettings({ ...env, ...more }, keysSettings), { log: silentLogger, ...(now && { now }) }),
  };
}

function folders() {
  const root = mkdtempSync(join(tmpdir(), 'lectern-keys-'));
  return {
    another: () => mkdtempSync(join(root, 'place-')),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

async function startSqlite(): Promise<KeyStores> {
  const { another, remove } = folders();
  return { empty: async () => placeAt(another(), {}), stop: async () => remove() };
}

export const pgCtl = findPostgres();

export async function startPostgresStores(program: string) {
  const { another, remove } = folders();
  const server = await startPostgres(program);
  let made = 0;
  return {
    server,
    async empty() {
      made += 1;
      const admin = new Client({ connectionString: server.url });
      await admin.connect();
      await admin.query(`CREATE DATABASE keys_${made}`);
      await admin.end();
      return placeAt(another(), { DATABASE_URL: new URL(`/keys_${made}`, server.url).href });
    },
    async stop() {
      await server.stop();
      remove();
    },
  };
}

/** Every store that this machine can run, by name. */
export const keyStores: readonly [string, () => Promise<KeyStores>][] = [
  ['SQLite', startSqlite],
  ...(pgCtl === null
    ? []
    : [['PostgreSQL', () => startPostgresStores(pgCtl)] satisfies [string, () => Promise<KeyStores>]]),
];

/** What lies in an outbox, oldest first. */
export async function mailsIn(folder: string): Promise<Email[]> {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.eml'))
    .sort();
  return Promise.all(files.map((file) => PostalMime.parse(readFileSync(join(folder, file)))));
}

/** The keys that a mail holds. */
export const tokensIn = (mail: Email | undefined): string[] =>
  mail?.text?.match(/svc_(?:live|test)_[A-Za-z0-9_-]{49}/g) ?? [];
