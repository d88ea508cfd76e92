import type { TranslationFileCache } from '@lectern/data-files';
import type { Logger, WorkContext, WorkScheduler } from '@lectern/serving';
import { createLogger, createWorkScheduler, heapGrowthPercent, limitMemory, runUntilStopped } from '@lectern/serving';
import type { Metrics } from '@lectern/telemetry';
import { startTelemetry } from '@lectern/telemetry';
import { createMeasuredTranslationFileCache, observeUnavailableTranslations } from './metrics';
import { serveSubgraph } from './serve';
import type { SubgraphConfig } from './settings';
import type { Subgraph } from './subgraph';

export interface SubgraphProcess<Config extends SubgraphConfig, Context extends WorkContext> {
  name: string;
  config: Config;
  open: (parts: {
    config: Config;
    scheduler: WorkScheduler;
    memory: TranslationFileCache;
    metrics: Metrics;
    log: Logger;
  }) => Subgraph<Context> | Promise<Subgraph<Context>>;
}

/**
 * Runs a process that serves one subgraph until SIGTERM or SIGINT. Rejects if the subgraph cannot
 * be opened or served.
 */
export async function runSubgraph<Config extends SubgraphConfig, Context extends WorkContext>({
  name,
  config,
  open,
}: SubgraphProcess<Config, Context>): Promise<void> {
  const log = createLogger({ service: name, level: config.LOG_LEVEL });
  limitMemory(config, log, heapGrowthPercent.distributed);
  const telemetry = await startTelemetry({ service: name, config, log });
  const scheduler = createWorkScheduler({ requestCpuMs: config.REQUEST_CPU_MS });
  const { metrics } = telemetry;
  const memory = createMeasuredTranslationFileCache(config.TRANSLATIONS_MEMORY_BYTES, metrics);
  const subgraph = await open({ config, scheduler, memory, metrics, log });
  observeUnavailableTranslations(metrics, [subgraph]);
  const server = await serveSubgraph(subgraph, {
    host: config.HOST,
    port: config.PORT,
    secrets: config.SUBGRAPH_SECRET,
    headerName: config.SUBGRAPH_HEADER_NAME,
    headerSecrets: config.SUBGRAPH_HEADER_SECRET,
    maxTokens: config.MAX_TOKENS,
    compiled: config.EXECUTION_STRATEGY === 'auto',
    tracing: telemetry.tracing,
    metrics,
    log,
  });
  runUntilStopped(async () => {
    await server.close();
    await telemetry.close();
  }, log);
}
