import type { SearchOptions } from '@lectern/search';
import type { WorkScheduler } from '@lectern/serving';
import { createLogger, createWorkScheduler, silentLogger } from '@lectern/serving';
import type { Subgraph } from '@lectern/subgraph';
import { serveSubgraph } from '@lectern/subgraph';
import { readConfig } from '../../gateway/src/config';
import { startGatewayFromSettings } from '../../gateway/src/start';

/** A started service, either in its own process or in the process of the test. */
export interface StartedService {
  readonly origin: string;
  readonly port: number;
}

/**
 * A service in the process of the test. It starts with at most a third of the processor time that a
 * process needs.
 */
export interface ServiceInProcess extends StartedService {
  /** Returns the log lines that a gateway has written so far. Empty for a subgraph. */
  output(): string;
  /** Closes the connections and stops the service. */
  close(): Promise<void>;
}

export interface SubgraphInProcessOptions {
  readonly port?: number;
  /** The options of semantic search, for the search subgraph. */
  readonly semantic?: SearchOptions['semantic'];
}

/**
 * The type of `createTextSubgraph` and similar functions. A subgraph ignores the options that it
 * does not have.
 */
type CreateSubgraph = (options: {
  dataDir: string;
  scheduler: WorkScheduler;
  semantic: SearchOptions['semantic'];
  preloadParser: boolean;
}) => Subgraph | Promise<Subgraph>;

/**
 * Limits the CPU time of requests. The limit is high, so that a slow machine does not reject the
 * request of a test.
 */
const scheduler = createWorkScheduler({ requestCpuMs: 60_000 });

/**
 * Serves a subgraph in this process to callers without a gateway token. By default without semantic search.
 * If the environment has EXECUTION_STRATEGY=standard, Apollo Server executes the operations.
 */
export async function serveSubgraphInProcess(
  name: string,
  { dataDir, port = 0, semantic = null }: { dataDir: string } & SubgraphInProcessOptions,
): Promise<ServiceInProcess> {
  const exported = require(`@lectern/${name}`) as Readonly<Record<string, CreateSubgraph>>;
  const create = exported[`create${name.charAt(0).toUpperCase()}${name.slice(1)}Subgraph`];
  if (!create) throw new Error(`@lectern/${name} exports no function that creates the subgraph`);
  const subgraph = await create({ dataDir, scheduler, semantic, preloadParser: false });
  const served = await serveSubgraph(subgraph, {
    host: '127.0.0.1',
    port,
    secrets: '',
    compiled: process.env['EXECUTION_STRATEGY'] !== 'standard',
    log: silentLogger,
  });
  return {
    origin: `http://${served.host}:${served.port}`,
    port: served.port,
    output: () => '',
    close: () => served.close({ graceMs: 0 }),
  };
}

/**
 * Starts a gateway in this process. EXECUTION_STRATEGY of the test run applies unless `env` sets
 * it.
 */
export async function startGatewayInProcess(env: Readonly<Record<string, string>>): Promise<ServiceInProcess> {
  const { EXECUTION_STRATEGY } = process.env;
  const config = readConfig({ ...(EXECUTION_STRATEGY !== undefined && { EXECUTION_STRATEGY }), ...env });
  let output = '';
  const log = createLogger({
    service: 'gateway',
    level: config.LOG_LEVEL,
    destination: { write: (line) => void (output += line) },
  });
  const gateway = await startGatewayFromSettings({ ...config, PORT: 0 }, log);
  return {
    origin: `http://${gateway.host}:${gateway.port}`,
    port: gateway.port,
    output: () => output,
    close: () => gateway.close({ graceMs: 0 }),
  };
}
