import { randomUUID } from 'node:crypto';
import { errors } from '@lectern/errors';
import type { ExecuteForPage, PageResult } from '@lectern/site';
import { noSpan } from '@lectern/telemetry';
import type { AdmissionParts } from '../admission/admit';
import { limitsWithKey } from '../admission/limits';
import type { GatewayMetrics } from '../metrics';
import { type LiveGraph, runGraphStages } from './graph-stages';
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
  const recorder = createOperationMetricsRecorder(metrics);
  return async (request, reader, { query, variables }) => {
    const clientAddress = addresses.addressOf(request);
    const address = { limit: rateLimits.address, subject: clientAddress };
    const limits = reader.kind === 'operator' ? [address] : limitsWithKey(address, reader.key, rateLimits);
    const exhausted = (await rateLimiter.consume(limits)).find(({ allowed }) => !allowed);
    if (exhausted) {
      metrics.rejection(errors.rateLimited.code, exhausted.limit.name);
      return { kind: 'rate-limited', retryAfterSeconds: exhausted.secondsLeft };
    }
    const startedAt = performance.now();
    const lease = supergraph.acquire();
    const keyId = reader.kind === 'key' ? reader.key.id : undefined;
    const clients = keyId === undefined ? [clientAddress] : [keyId, clientAddress];
    try {
      const work = lease.graph.createBudget({ clients });
      const response = await runGraphStages(
        lease.graph,
        { query, variables: { ...variables }, operationName: null },
        { requestId: randomUUID(), keyId, span: noSpan, work },
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
