import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keys } from '@lectern/keys';
import { keysSettings, openKeysFromSettings } from '@lectern/keys';
import type { Logger } from '@lectern/serving';
import { readSettings, silentLogger } from '@lectern/serving';
import { findPostgres, startPostgres } from '@lectern/testing';
import { Client } from 'pg';
import { pepper } from './embedded-lectern';

export interface OpenOptions {
  /** Environment variables in addition to those that locate the key store. */
  env?: Record<string, string>;
  now?: () => Date;
  log?: Logger;
}

/** Where a key store is: in a SQLite file of the data folder, or in a database of PostgreSQL. */
export interface Deployment {
  /** The data folder. It contains the outbox, the folder in which the service puts its emails. */
  folder: string;
  /** The environment variables with which a process opens this key store. */
  env: Record<string, string>;
  /** Opens the key store. May be called several times, as by several processes. */
  open(options?: OpenOptions): Promise<Keys>;
}

export interface KeyStoreServer {
  /** Creates a deployment whose key store is empty. */
  createDeployment(): Promise<Deployment>;
  stop(): Promise<void>;
}

function deploymentIn(folder: string, location: Record<string, string>): Deployment {
  const env = { LECTERN_DATA: folder, KEY_PEPPER: pepper, ...location };
  return {
    folder,
    env,
    open: ({ env: extraEnv = {}, now, log = silentLogger } = {}) =>
      openKeysFromSettings(readSettings({ ...env, ...extraEnv }, keysSettings), {
        log,
        ...(now && { now }),
      }),
  };
}

function createFolders() {
  const root = mkdtempSync(join(tmpdir(), 'lectern-keys-'));
  return {
    create: () => mkdtempSync(join(root, 'deployment-')),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

export async function startSqlite(): Promise<KeyStoreServer> {
  const folders = createFolders();
  return {
    createDeployment: async () => deploymentIn(folders.create(), {}),
    stop: async () => folders.remove(),
  };
}

/** The path of pg_ctl, which starts PostgreSQL. Null if PostgreSQL is not installed. */
export const pgCtl = findPostgres();

/** Starts a PostgreSQL server. Each deployment gets its own database. */
export async function startPostgresStore(pgCtlPath: string) {
  const folders = createFolders();
  const server = await startPostgres(pgCtlPath);
  let databases = 0;
  return {
    server,
    async createDeployment() {
      databases += 1;
      const admin = new Client({ connectionString: server.url });
      await admin.connect();
      await admin.query(`CREATE DATABASE keys_${databases}`);
      await admin.end();
      return deploymentIn(folders.create(), { DATABASE_URL: new URL(`/keys_${databases}`, server.url).href });
    },
    async stop() {
      await server.stop();
      folders.remove();
    },
  };
}

/** The kinds of key store that this machine can run, each with a function that starts it. */
export const keyStores: readonly [string, () => Promise<KeyStoreServer>][] = [
  ['SQLite', startSqlite],
  ...(pgCtl === null
    ? []
    : [['PostgreSQL', () => startPostgresStore(pgCtl)] satisfies [string, () => Promise<KeyStoreServer>]]),
];

export interface UsedKeyStore {
  deployment: Deployment;
  keys: Keys;
  /** A second connection to the key store of `keys`, as a second process would open it. */
  otherKeys: Keys;
}

/** Creates a deployment before each test of the block, and opens its key store twice. */
export function useKeyStore(start: () => Promise<KeyStoreServer>): UsedKeyStore {
  const used = {} as UsedKeyStore;
  let server: KeyStoreServer;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    used.deployment = await server.createDeployment();
    // On a busy machine, PostgreSQL may need longer than the default timeout for concurrent calls.
    const env = { DATABASE_TIMEOUT_MS: '20000' };
    used.keys = await used.deployment.open({ env });
    used.otherKeys = await used.deployment.open({ env });
  });
  afterEach(() => Promise.all([used.keys.close(), used.otherKeys.close()]));
  return used;
}

/** Waits until all promises have settled. Returns the messages of the rejected promises. */
export const rejections = async (promises: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(promises)).flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as Error).message] : [],
  );
