import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { createGraphqlClient, dataDir, send, startProcess } from '@lectern/testing';
import { pepper } from './embedded-lectern';
import type { ServiceInProcess, StartedService } from './services-in-process';
import { serveSubgraphInProcess, startGatewayInProcess } from './services-in-process';

type SubgraphOrigins = Readonly<Record<string, readonly string[]>>;

/**
 * The services of a distributed deployment that a test starts, with a data folder for their gateways. Those that the
 * test does not signal or stop run in the process of the test, where they start faster.
 */
export interface TestProcesses {
  /** The data folder of the gateways. The keys are in it. */
  readonly folder: string;
  /** A valid API key of the test environment. */
  readonly token: string;
  start(file: string, env: Record<string, string>, until?: '/ready' | '/health'): Promise<StartedProcess>;
  /** Serves a subgraph in this process, without semantic search, by default with the default data on a free port. */
  serveSubgraph(name: string, options?: { dataDir?: string; port?: number }): Promise<ServiceInProcess>;
  /** Serves subgraphs in this process. Returns their origins by name, as `startGateway` takes them. */
  serveSubgraphs(names: readonly string[]): Promise<SubgraphOrigins>;
  /**
   * Starts a gateway in front of these replicas of each subgraph, in a process of its own.
   * It has no rate limits and no response cache, so that every request reaches the subgraphs.
   * Resolves when the gateway is ready, or with `until: '/health'` as soon as the gateway listens.
   */
  startGateway(
    subgraphs: SubgraphOrigins,
    env?: Record<string, string>,
    until?: '/ready' | '/health',
  ): Promise<{ gateway: StartedProcess; client: GraphqlClient }>;
  /** Starts a gateway like `startGateway`, but in this process. */
  serveGateway(
    subgraphs: SubgraphOrigins,
    env?: Record<string, string>,
    until?: '/ready' | '/health',
  ): Promise<{ gateway: ServiceInProcess; client: GraphqlClient }>;
  /** Sends the signal, by default SIGKILL, and waits for the process to exit. Closes a service in this process. */
  stop(started: StartedProcess | ServiceInProcess, signal?: NodeJS.Signals): Promise<void>;
  /** Stops every service that still runs and removes the folder. */
  close(): Promise<void>;
}

export async function openProcesses(): Promise<TestProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const { token } = await keys.issue({ email: 'tester@example.org', name: 'Tester', environment: 'test' }, 'a test');
  await keys.close();
  const running = new Set<StartedProcess | ServiceInProcess>();

  const add = <Service extends StartedProcess | ServiceInProcess>(service: Service): Service => {
    running.add(service);
    return service;
  };
  const stop: TestProcesses['stop'] = async (started, signal = 'SIGKILL') => {
    running.delete(started);
    if (!('child' in started)) return started.close();
    started.child.kill(signal);
    await started.ended;
  };
  const serveSubgraph: TestProcesses['serveSubgraph'] = async (name, options) =>
    add(await serveSubgraphInProcess(name, { dataDir, ...options }));
  const gatewaySettings = (subgraphs: SubgraphOrigins) => ({
    LECTERN_DATA: folder,
    KEY_PEPPER: pepper,
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    RESPONSE_CACHE_BYTES: '0',
    SUBGRAPH_URLS: Object.entries(subgraphs)
      .flatMap(([name, origins]) => origins.map((origin) => `${name}=${origin}/graphql`))
      .join(','),
  });
  const clientOf = ({ origin }: StartedService) => createGraphqlClient(`${origin}/graphql`, token);
  return {
    folder,
    token,
    stop,
    serveSubgraph,
    start: async (file, env, until) => add(await startProcess(file, env, until)),
    serveSubgraphs: async (names) =>
      Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, [(await serveSubgraph(name)).origin]] as const)),
      ),
    async startGateway(subgraphs, env, until) {
      const settings = { ...gatewaySettings(subgraphs), ...env };
      const gateway = add(await startProcess('gateway/dist/main.js', settings, until));
      return { gateway, client: clientOf(gateway) };
    },
    async serveGateway(subgraphs, env, until = '/ready') {
      const gateway = add(await startGatewayInProcess({ ...gatewaySettings(subgraphs), ...env }));
      await waitUntil(async () => (await send(gateway.origin + until, { method: 'GET' })).status === 200);
      return { gateway, client: clientOf(gateway) };
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
