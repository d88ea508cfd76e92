import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createTranslationFileCache, type TranslationFileCache } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import {
  createHealth,
  createLogger,
  createWorkScheduler,
  type Listening,
  type Logger,
  limitMemory,
  listen,
  pathOf,
  runUntilStopped,
  sendJson,
  type WorkContext,
  type WorkScheduler,
} from '@lectern/serving';
import { type Metrics, recordHttpRequests, silentMetrics, startTelemetry } from '@lectern/telemetry';
import { executeInProcess } from './execute';
import { createGraphqlHandler, type GraphqlHandlerOptions, sendFailure } from './handler';
import type { SubgraphConfig } from './settings';
import { type Dataset, type Subgraph, unavailableParts } from './subgraph';

export type ServeOptions = GraphqlHandlerOptions & { port: number };

/**
 * Serves POST /graphql, GET /health, GET /ready and GET /dataset (for the gateway). `close` turns /ready to 503, waits
 * for the requests in flight, then closes the subgraph.
 */
export async function serveSubgraph<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  options: ServeOptions,
): Promise<Listening> {
  const { host, port, log } = options;
  const { dataset } = subgraph;
  const warnOfRestricted = (): void => {
    const translations = [...(dataset?.restricted() ?? [])];
    if (options.secrets === '' && translations.length > 0)
      log.warn({ translations }, 'without SUBGRAPH_SECRET, here and at the gateway, these translations are not served');
  };
  warnOfRestricted();
  dataset?.onChange(warnOfRestricted);
  const graphql = await createGraphqlHandler(subgraph, options);
  const health = createHealth({
    identity: { subgraph: subgraph.name },
    readiness: () => ({
      ...(dataset && { corpus: dataset.datasetVersion() }),
      ...(unavailableParts(subgraph).length > 0 && { degraded: unavailableParts(subgraph) }),
    }),
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (health.respond(request, response)) return;
    const path = pathOf(request.url ?? '');
    if (path === '/dataset')
      return sendJson(response, 200, {
        corpus: dataset?.datasetVersion() ?? null,
        translations: Object.fromEntries(publicDigests(dataset)),
      });
    if (path !== '/graphql') throw errors.unknownPath();
    return graphql.handle(request, response);
  };
  // Gateways close idle connections before this timeout, so no request arrives on a connection that is being closed.
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (request, response) =>
      void handle(request, response).catch((error) => sendFailure(request, response, { error, log })),
  );
  recordHttpRequests(server, options.metrics ?? silentMetrics, '/graphql');
  const listening = await listen(server, { host, port }).catch(async (error: unknown) => {
    // Closed before the exit, because Node.js aborts a process that exits while worker threads are starting.
    await subgraph.close();
    throw error;
  });
  log.info({ host, port: listening.port, subgraph: subgraph.name }, 'subgraph ready');
  return {
    ...listening,
    close: async (closeOptions) => {
      health.stop();
      await listening.close(closeOptions);
      await graphql.stop();
      await subgraph.close();
    },
  };
}

const publicDigests = (dataset: Dataset | null) =>
  [...(dataset?.translationDigests() ?? [])].filter(([identifier]) => !dataset?.restricted().has(identifier));

interface OpenParts<Config> {
  config: Config;
  scheduler: WorkScheduler;
  memory: TranslationFileCache;
  metrics: Metrics;
  log: Logger;
}

/** Serves until SIGTERM or SIGINT, also what `serveMore` starts. Rejects if the subgraph cannot be opened or served. */
export async function runSubgraph<Config extends SubgraphConfig, Context extends WorkContext>({
  name,
  config,
  open,
  serveMore,
}: {
  name: string;
  config: Config;
  open: (parts: OpenParts<Config>) => Subgraph<Context> | Promise<Subgraph<Context>>;
  serveMore?: (parts: Pick<OpenParts<Config>, 'config' | 'log'>) => Promise<Listening | null>;
}): Promise<void> {
  const log = createLogger({ service: name, level: config.LOG_LEVEL });
  limitMemory(config, log);
  const { metrics, tracing, close: closeTelemetry } = await startTelemetry({ service: name, config, log });
  const scheduler = createWorkScheduler({ requestCpuMs: config.REQUEST_CPU_MS });
  const memory = createMeasuredTranslationFileCache(config.TRANSLATIONS_MEMORY_BYTES, metrics);
  const subgraph = await open({ config, scheduler, memory, metrics, log });
  observeUnavailableTranslations(metrics, [subgraph]);
  await warmUp(subgraph, log);
  const server = await serveSubgraph(subgraph, {
    host: config.HOST,
    port: config.PORT,
    secrets: config.SUBGRAPH_SECRET,
    headerName: config.SUBGRAPH_HEADER_NAME,
    headerSecrets: config.SUBGRAPH_HEADER_SECRET,
    maxTokens: config.MAX_TOKENS,
    compiled: config.EXECUTION_STRATEGY === 'auto',
    tracing,
    metrics,
    log,
  });
  const more = (await serveMore?.({ config, log })) ?? null;
  runUntilStopped(async () => {
    await Promise.all([server.close(), more?.close()]);
    await closeTelemetry();
  }, log);
}

/** Executes the subgraph's own operations once, so that the first requests of clients take no longer than later ones. */
async function warmUp<Context extends WorkContext>(subgraph: Subgraph<Context>, log: Logger): Promise<void> {
  const execute = executeInProcess(subgraph, log);
  for (const query of subgraph.warmUpQueries) {
    const { errors: failures = [] } = await execute({ query });
    // A part of the data may be missing, which /ready and the log report. So an error does not stop the start.
    if (failures.length > 0) log.debug({ reason: failures[0]?.message }, 'a query that warms the subgraph failed');
  }
}

/** Creates the cache of open translation files. Its metrics are listed in docs/metrics.md. */
export function createMeasuredTranslationFileCache(maxBytes: number, metrics: Metrics): TranslationFileCache {
  const labels = ['file'] as const;
  const opened = metrics.counter({
    name: 'lectern_translation_files_opened_total',
    help: 'Files of translations that were opened, by file (text, search, concordance).',
    labels,
  });
  const closed = metrics.counter({
    name: 'lectern_translation_files_closed_total',
    help: 'Files of translations that were closed, because the memory was needed or the translation was replaced, by file.',
    labels,
  });
  const memory = createTranslationFileCache({
    maxBytes,
    onOpened: (file) => opened({ file }),
    onClosed: (file) => closed({ file }),
  });
  const readUsage = (name: 'open' | 'bytes') => () =>
    Array.from(memory.usage(), ([file, usage]) => ({ labels: { file }, value: usage[name] }));
  metrics.gauge(
    { name: 'lectern_translation_files_open', help: 'Files of translations that are open, by file.', labels },
    readUsage('open'),
  );
  metrics.gauge(
    {
      name: 'lectern_translation_files_bytes',
      help: 'The estimated memory of the open files of translations, in bytes, by file. TRANSLATIONS_MEMORY_BYTES bounds the sum.',
      labels,
    },
    readUsage('bytes'),
  );
  return memory;
}

export function observeUnavailableTranslations(
  metrics: Metrics,
  subgraphs: readonly Pick<Subgraph, 'name' | 'dataset'>[],
): void {
  metrics.gauge(
    {
      name: 'lectern_translations_unavailable',
      help: 'Translations of the catalogue whose files cannot be used, by subgraph. The log names the files.',
      labels: ['subgraph'],
      aggregator: 'max',
    },
    () =>
      subgraphs.map(({ name, dataset }) => ({ labels: { subgraph: name }, value: dataset?.unavailable().length ?? 0 })),
  );
}
