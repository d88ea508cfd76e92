import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TranslationFileCache } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import type { Listening, Logger, WorkContext, WorkScheduler } from '@lectern/serving';
import {
  createHealth,
  createLogger,
  createWorkScheduler,
  limitMemory,
  listen,
  runUntilStopped,
  sendJson,
} from '@lectern/serving';
import { type Metrics, startTelemetry } from '@lectern/telemetry';
import { createGraphqlHandler, type GraphqlHandlerOptions, sendFailure } from './handler';
import type { SubgraphConfig } from './settings';
import { type Subgraph, unavailableParts } from './subgraph';
import { createMeasuredTranslationFileCache, observeUnavailableTranslations } from './translation-metrics';

export type ServeOptions = GraphqlHandlerOptions & { port: number };

/**
 * Serves a subgraph over HTTP: POST /graphql, GET /health (the process runs), GET /ready (the
 * subgraph serves requests), GET /dataset (the digests of its translations, which a gateway
 * compares), and the subgraph's files. With a secret, /graphql requires a gateway token or the
 * header with the secret. `close` turns /ready to 503, waits for the requests in flight, then closes
 * the subgraph.
 */
export async function serveSubgraph<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  options: ServeOptions,
): Promise<Listening> {
  const { host, port, log } = options;
  const { dataset, files } = subgraph;
  const graphql = await createGraphqlHandler(subgraph, options);
  const health = createHealth({
    identity: { subgraph: subgraph.name },
    readiness: () => ({
      ...(dataset && { corpus: dataset.datasetVersion() }),
      ...(unavailableParts(subgraph).length > 0 && { degraded: unavailableParts(subgraph) }),
    }),
  });
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url?.split('?', 1)[0] ?? '';
    if (health.respond(path, response)) return;
    if (path === '/dataset')
      return sendJson(response, 200, {
        corpus: dataset?.datasetVersion() ?? null,
        translations: Object.fromEntries(dataset?.translationDigests() ?? []),
      });
    if (files && path.startsWith(files.path)) return files.handle(request, response, path);
    if (path !== '/graphql') throw errors.unknownPath();
    return graphql.handle(request, response);
  };
  // Gateways close idle connections earlier than after `keepAliveTimeout`, so a request never
  // arrives on a connection that is being closed.
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (request, response) =>
      void handle(request, response).catch((error) => sendFailure(request, response, { error, log })),
  );
  const listening = await listen(server, { host, port }).catch(async (error: unknown) => {
    // Node aborts a process that exits while worker threads of the subgraph are starting.
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

interface OpenParts<Config> {
  config: Config;
  scheduler: WorkScheduler;
  memory: TranslationFileCache;
  metrics: Metrics;
  log: Logger;
}

/** Serves one subgraph until SIGTERM or SIGINT. Rejects if it cannot be opened or served. */
export async function runSubgraph<Config extends SubgraphConfig, Context extends WorkContext>({
  name,
  config,
  open,
}: {
  name: string;
  config: Config;
  open: (parts: OpenParts<Config>) => Subgraph<Context> | Promise<Subgraph<Context>>;
}): Promise<void> {
  const log = createLogger({ service: name, level: config.LOG_LEVEL });
  limitMemory(config, log);
  const { metrics, tracing, close: closeTelemetry } = await startTelemetry({ service: name, config, log });
  const scheduler = createWorkScheduler({ requestCpuMs: config.REQUEST_CPU_MS });
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
    tracing,
    metrics,
    log,
  });
  runUntilStopped(async () => {
    await server.close();
    await closeTelemetry();
  }, log);
}
