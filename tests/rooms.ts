import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { Ask, Started } from '@lectern/testing';
import { createAsk, startRoom } from '@lectern/testing';
import { pepper } from './lectern';

/** Processes of the graph that a test starts, and a folder with the keys of its gateways. */
export interface Rooms {
  readonly folder: string;
  /** A good test key. */
  readonly token: string;
  start(file: string, env: Record<string, string>): Promise<Started>;
  /** A gateway over these replicas of each subgraph, without limits of rate and without kept answers, so that every request reaches them. */
  startGateway(
    subgraphs: Record<string, readonly string[]>,
    env?: Record<string, string>,
  ): Promise<{ gateway: Started; ask: Ask }>;
  end(room: Started, signal?: NodeJS.Signals): Promise<void>;
  /** Ends what still runs. */
  close(): Promise<void>;
}

export async function openRooms(): Promise<Rooms> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const { token } = await keys.issue({ email: 'tester@example.org', name: 'Tester', environment: 'test' }, 'a test');
  await keys.close();
  const running = new Set<Started>();

  const start = async (file: string, env: Record<string, string>): Promise<Started> => {
    const room = await startRoom(file, env);
    running.add(room);
    return room;
  };
  const end = async (room: Started, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    room.child.kill(signal);
    await room.ended;
    running.delete(room);
  };
  return {
    folder,
    token,
    start,
    end,
    async startGateway(subgraphs, env = {}) {
      const urls = Object.entries(subgraphs).flatMap(([name, origins]) =>
        origins.map((origin) => `${name}=${origin}/graphql`),
      );
      const gateway = await start('gateway/dist/main.js', {
        LECTERN_DATA: folder,
        KEY_PEPPER: pepper,
        RATE_PER_MINUTE: '0',
        RATE_PER_DAY: '0',
        RESPONSE_CACHE_BYTES: '0',
        SUBGRAPH_URLS: urls.join(','),
        ...env,
      });
      return { gateway, ask: createAsk(`${gateway.origin}/graphql`, token) };
    },
    async close() {
      await Promise.all([...running].map((room) => end(room)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when this holds; the test's own time is the limit. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}
