import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { createGraphqlClient, dataDir, send, startProcess } from '@lectern/testing';
import { issueKey, pepper } from './embedded-lectern';
import type { ServiceInProcess, StartedService, SubgraphInProcessOptions } from './services-in-process';
import { serveSubgraphInProcess, startGatewayInProcess } from './services-in-process';

type SubgraphOrigins = Readonly<Record<string, readonly string[]>>;

/**
 * Starts the gateways and subgraphs of a distributed deployment for a test, and stops them at the
 * end. `serve...` starts a service in the process of the test, which is faster. `start...` starts a
 * service in its own process, for tests that send signals to the service.
 */
export interface TestProcesses {
  /** The data folder of the gateways. It contains the API keys. */
  readonly folder: string;
  /** A valid API key of the environment `test`. */
  readonly token: string;
  /** Starts a compiled file, such as `services/text/dist/main.js`, in its own process. */
  start(file: string, env: Record<string, string>, until?: '/ready' | '/health'): Promise<StartedProcess>;
  /**
   * Serves a subgraph in this process, by default with the data of the repository and on a free
   * port.
   */
  serveSubgraph(name: string, options?: { dataDir?: string } & SubgraphInProcessOptions): Promise<ServiceInProcess>;
  /** Returns the origins of the subgraphs by name, as `startGateway` needs them. */
  serveSubgraphs(names: readonly string[]): Promise<SubgraphOrigins>;
  /**
   * Starts a gateway in its own process. `subgraphs` has the origins of the replicas of each
   * subgraph. The gateway has no rate limits and no response cache, so that every request reaches a
   * subgraph. Resolves when the gateway is ready, or with `until: '/health'` as soon as the gateway
   * listens.
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
  /** Sends SIGKILL or `signal`, and waits for the exit. Closes a service in this process. */
  stop(started: StartedProcess | ServiceInProcess, signal?: NodeJS.Signals): Promise<void>;
  /** Stops every service that still runs and removes the folder. */
  close(): Promise<void>;
}

export async function openProcesses(): Promise<TestProcesses> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const { token } = await issueKey(keys, { email: 'tester@example.org' });
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

/**
 * Waits until `holds` returns true, and checks this every 50 ms. Has no time limit, because
 * test-deadline.mjs ends a test that hangs.
 */
export async function waitUntil(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}

/** Returns the process ids of the running children of a process, without zombies. */
export const childrenOf = ({ child }: Pick<StartedProcess, 'child'>): number[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, state]) => Number(parent) === child.pid && !state?.startsWith('Z'))
    .map(([pid]) => Number(pid));
