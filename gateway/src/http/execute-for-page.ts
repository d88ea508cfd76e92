import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import type { ExecuteForPage, PageReader, PageResult } from '@lectern/site';
import { noSpan } from '@lectern/telemetry';
import type { AdmissionParts } from '../admission/admit';
import type { LimitedSubject } from '../admission/rate-limiter';
import type { GatewayMetrics } from '../metrics';
import type { LiveGraph } from './graph-stages';
import { runGraphStages } from './graph-stages';
import { createOperationMetricsRecorder } from './record-request';

interface ExecuteForPageParts extends AdmissionParts {
  supergraph: LiveGraph;
  metrics: GatewayMetrics;
}

/**
 * Creates the function that executes the operations of HTML pages. Metrics and limits apply as for requests to
 * /graphql.
 */
export function createExecuteForPage({
  supergraph,
  rateLimiter,
  rateLimits,
  addresses,
  metrics,
}: ExecuteForPageParts): ExecuteForPage {
  const limitsOf = (request: IncomingMessage, reader: PageReader): [LimitedSubject, ...LimitedSubject[]] => {
    const address = { limit: rateLimits.address, subject: addresses.addressOf(request) };
    if (reader.kind === 'operator') return [address];
    const { id, requestsPerMinute, requestsPerDay } = reader.key;
    return [
      address,
      { limit: rateLimits.keyRate, subject: id, max: requestsPerMinute },
      { limit: rateLimits.key, subject: id, max: requestsPerDay },
    ];
  };
  const recorder = createOperationMetricsRecorder(metrics);
  return async (request, reader, { query, variables }) => {
    const exhausted = (await rateLimiter.consume(limitsOf(request, reader))).find(({ allowed }) => !allowed);
    if (exhausted) {
      metrics.rejection(errors.rateLimited.code, exhausted.limit.name);
      return { kind: 'rate-limited', retryAfterSeconds: exhausted.secondsLeft };
    }
    const startedAt = performance.now();
    const lease = supergraph.acquire();
    try {
      const response = await runGraphStages(
        lease.graph,
        { query, variables: { ...variables }, operationName: null },
        {
          requestId: randomUUID(),
          keyId: reader.kind === 'key' ? reader.key.id : undefined,
          address: addresses.addressOf(request),
          span: noSpan,
        },
        (graphResponse) => graphResponse,
      );
      recorder.responded(response, startedAt);
      const { data = null, errors = [] } = JSON.parse(response.body.toString()) as Partial<
        Extract<PageResult, { data: unknown }>
      >;
      return { kind: 'executed', data, errors };
    } catch (error) {
      recorder.failed(error, startedAt);
      throw error;
    } finally {
      supergraph.release(lease);
    }
  };
}
