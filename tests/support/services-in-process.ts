import type { WorkScheduler } from '@lectern/serving';
import { createLogger, createWorkScheduler, silentLogger } from '@lectern/serving';
import type { Subgraph } from '@lectern/subgraph';
import { serveSubgraph } from '@lectern/subgraph';
import { readConfig } from '../../gateway/src/config';
import { startGatewayFromSettings } from '../../gateway/src/start-gateway-from-settings';

/** A service that a test reaches by HTTP, in a process of its own or in the process of the test. */
export interface StartedService {
  readonly origin: string;
  readonly port: number;
}

/** A service in the process of the test. It starts in a third or less of the processor time of a process. */
export interface ServiceInProcess extends StartedService {
  /** Returns the log lines so far. */
  output(): string;
  /** Closes the connections and stops the service. */
  close(): Promise<void>;
}

/** The function of each service that creates its subgraph. Options that a subgraph does not have are ignored. */
type CreateSubgraph = (options: {
  dataDir: string;
  scheduler: WorkScheduler;
  semantic: null;
  preloadParser: boolean;
}) => Subgraph | Promise<Subgraph>;

/** No request of a test is rejected because the machine is slow. */
const scheduler = createWorkScheduler({ requestCpuMs: 60_000 });

/** Serves a subgraph without semantic search and without a secret. EXECUTION_STRATEGY of the test run applies. */
export async function serveSubgraphInProcess(
  name: string,
  { dataDir, port = 0 }: { dataDir: string; port?: number },
): Promise<ServiceInProcess> {
  const exported = require(`@lectern/${name}`) as Readonly<Record<string, CreateSubgraph>>;
  const create = exported[`create${name.charAt(0).toUpperCase()}${name.slice(1)}Subgraph`];
  if (!create) throw new Error(`@lectern/${name} exports no function that creates the subgraph`);
  const subgraph = await create({ dataDir, scheduler, semantic: null, preloadParser: false });
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

/** Starts a gateway with the settings of this environment. EXECUTION_STRATEGY of the test run applies. */
export async function startGatewayInProcess(env: Readonly<Record<string, string>>): Promise<ServiceInProcess> {
  const { EXECUTION_STRATEGY } = process.env;
  const config = readConfig({ ...(EXECUTION_STRATEGY !== undefined && { EXECUTION_STRATEGY }), ...env });
  let output = '';
  const log = createLogger({
    service: 'gateway',
    level: config.LOG_LEVEL,
    destination: { write: (line) => void (output += line) },
  });
  const gateway = await startGatewayFromSettings({ config: { ...config, PORT: 0 }, channel: null, log });
  return {
    origin: `http://${gateway.host}:${gateway.port}`,
    port: gateway.port,
    output: () => output,
    close: () => gateway.close({ graceMs: 0 }),
  };
}
