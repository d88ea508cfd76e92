import { warmReferenceParser } from '@lectern/canon';
import { type Keys, openKeysFromSettings, readPepperFromSettings } from '@lectern/keys';
import { type CloseOptions, createWorkScheduler, type Listening, type Logger, splitList } from '@lectern/serving';
import { createHttpClientMetrics, startTelemetry, type Telemetry } from '@lectern/telemetry';
import { type GatewayConfig, gatewayOptions, readSupergraphHeaders } from './config';
import { type GatewayParts, startGateway } from './gateway';
import { parseForwardHeaders } from './supergraph/settings';
import { createHttpSubgraphs } from './transport/http-subgraphs';

/** Starts a gateway with subgraphs over HTTP, from its settings. Rejects with a reason for the operator. */
export async function startGatewayFromSettings(config: GatewayConfig, log: Logger): Promise<Listening> {
  const keys = await openKeysFromSettings(config, { log });
  let telemetry: Telemetry | null = null;
  const closeParts = async () => {
    await telemetry?.close();
    await keys.close();
  };
  try {
    telemetry = await startTelemetry({ service: 'gateway', config, log });
    if (config.PRELOAD_PARSER) warmReferenceParser();
    const gateway = await startGateway(gatewayParts({ config, log }, keys, telemetry));
    return {
      ...gateway,
      async close(options?: CloseOptions) {
        await gateway.close(options);
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function gatewayParts(
  { config, log }: { config: GatewayConfig; log: Logger },
  keys: Keys,
  telemetry: Telemetry,
): GatewayParts {
  const recordRequest = createHttpClientMetrics(telemetry.metrics);
  return {
    supergraph: config.SUPERGRAPH,
    supergraphHeaders: readSupergraphHeaders(config),
    supergraphCopyFolder: config.LECTERN_DATA,
    supergraphPollMs: config.SUPERGRAPH_POLL_MS,
    openSubgraphs: (subgraphLog) =>
      createHttpSubgraphs({
        urls: config.SUBGRAPH_URLS,
        secrets: config.SUBGRAPH_SECRET,
        timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
        hedgeMs: config.SUBGRAPH_HEDGE_MS,
        connections: config.SUBGRAPH_CONNECTIONS,
        recordRequest,
        log: subgraphLog,
      }),
    exposedErrors: splitList(config.SUBGRAPH_EXPOSED_ERRORS),
    forwardHeaders: parseForwardHeaders(config.SUBGRAPH_FORWARD_HEADERS),
    keys,
    scheduler: createWorkScheduler({ requestCpuMs: config.REQUEST_CPU_MS }),
    ...gatewayOptions(config),
    offlineBaseUrl: config.OFFLINE_BASE_URL,
    formSecret: readPepperFromSettings(config),
    telemetry,
    log,
  };
}
