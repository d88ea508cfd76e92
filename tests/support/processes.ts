import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { createGraphqlClient, dataDir, startProcess } from '@lectern/testing';
import { pepper } from './embedded-lectern';

/** The processes of a distributed deployment that a test starts, with a data folder for their gateways. */
export interface TestProcesses {
  /** The data folder of the gateways. The keys are in it. */
  readonly folder: string;
  /** A valid API key of the test environment. */
  readonly token: string;
  start(file: string, env: Record<string, string>, until?: '/ready' | '/health'): Promise<StartedProcess>;
  /** Starts subgraphs with the default data and without semantic search. Returns their origins by name, as `startGateway` takes them. */
  startSubgraphs(names: readonly string[]): Promise<Record<string, string[]>>;
  /**
   * Starts a gateway in front of these replicas of each subgraph.
   * It has no rate limits and no response cache, so that every request reaches the subgraphs.
   * Resolves when the gateway is ready, or with `until: '/health'` as soon as the gateway listens.
   */
  startGateway(
    subgraphs: Record<string, readonly string[]>,
    env?: Record<string, string>,
    until?: '/ready' | '/health',
  ): Promise<{ gateway: StartedProcess; client: GraphqlClient }>;
  /** Sends the signal, by default SIGKILL, and waits for the process to exit. */
  stop(started: StartedProcess, signal?: NodeJS.Signals): Promise<void>;
  /** Stops every process that still runs and removes the folder. */
  close(): Promise<void>;
}

export async function openProcesses(): Promise<TestProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const { token } = await keys.issue({ email: 'tester@example.org', name: 'Tester', environment: 'test' }, 'a test');
  await keys.close();
  const running = new Set<StartedProcess>();

  const start: TestProcesses['start'] = async (file, env, until) => {
    const started = await startProcess(file, env, until);
    running.add(started);
    return started;
  };
  const stop = async (started: StartedProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
    started.child.kill(signal);
    await started.ended;
    running.delete(started);
  };
  return {
    folder,
    token,
    start,
    stop,
    async startSubgraphs(names) {
      const settings = { LECTERN_DATA: dataDir, SEMANTIC_TRANSLATIONS: '' };
      const started = await Promise.all(names.map((name) => start(`services/${name}/dist/main.js`, settings)));
      return Object.fromEntries(names.map((name, index) => [name, [started[index]?.origin ?? '']]));
    },
    async startGateway(subgraphs, env = {}, until = '/ready') {
      const urls = Object.entries(subgraphs).flatMap(([name, origins]) =>
        origins.map((origin) => `${name}=${origin}/graphql`),
      );
      const settings = {
        LECTERN_DATA: folder,
        KEY_PEPPER: pepper,
        RATE_PER_MINUTE: '0',
        KEY_RATE_PER_MINUTE: '0',
        RATE_PER_DAY: '0',
        RESPONSE_CACHE_BYTES: '0',
        SUBGRAPH_URLS: urls.join(','),
        ...env,
      };
      const gateway = await start('gateway/dist/main.js', settings, until);
      return { gateway, client: createGraphqlClient(`${gateway.origin}/graphql`, token) };
    },
    async close() {
      await Promise.all([...running].map((started) => stop(started)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when the condition holds, which it checks every 50 ms. Jest's test timeout is the limit. */
export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}
