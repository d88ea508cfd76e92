import { createMetrics, noTelemetry } from '@lectern/telemetry';
import type { HttpResponse } from '@lectern/testing';
import { graphqlHeaders, send } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

export interface RequestBody {
  query: string;
  variables?: unknown;
  operationName?: string | null;
}

/**
 * The parts of a response that must be equal for equal requests: all but the date, the request id
 * and the header Content-Length.
 */
interface VisibleResponse {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

function visibleResponse({ status, headers, text }: HttpResponse): VisibleResponse {
  const { date: _date, 'x-request-id': _id, 'content-length': _length, ...rest } = headers;
  return { status, headers: rest, body: text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""') };
}

/**
 * Starts the embedded service three times over the same keys: `standard` executes every operation
 * with @apollo/gateway, `auto` chooses the execution strategy of each operation, and `cached` does
 * this too and caches responses.
 */
export async function startExecutionStrategies() {
  const metrics = createMetrics({ service: 'gateway' });
  const standard = await startEmbeddedLectern({
    executionStrategy: 'standard',
    responseCache: { maxBytes: 0, maxSeconds: 0 },
  });
  const auto = await startEmbeddedLectern({
    keys: standard.keys,
    executionStrategy: 'auto',
    responseCache: { maxBytes: 0, maxSeconds: 0 },
    telemetry: { ...noTelemetry, metrics },
  });
  const cached = await startEmbeddedLectern({ keys: standard.keys });

  const sendTo = (lectern: EmbeddedLectern, body: RequestBody, accept = 'application/json'): Promise<HttpResponse> =>
    send(lectern.url, { headers: [...graphqlHeaders(standard.token), 'Accept', accept], body: JSON.stringify(body) });

  return {
    standard,
    auto,
    cached,
    sendTo,
    /** The metrics of `auto` in the Prometheus text format. */
    metrics: () => metrics.text(),
    /**
     * Sends a request to `standard`, then twice each to `auto` and `cached`. The second request
     * finds the prepared operation and, in `cached`, the response if it may be cached. Returns the
     * response of `standard` as `expected`, and as `differences` the responses of the other
     * services that differ from it.
     */
    async compare(body: RequestBody, accept = 'application/json') {
      const expected = visibleResponse(await sendTo(standard, body, accept));
      const differences: { strategy: string; body: RequestBody; expected: VisibleResponse; actual: VisibleResponse }[] =
        [];
      for (const [strategy, lectern] of [
        ['auto, first request', auto],
        ['auto, prepared operation', auto],
        ['response cache, first request', cached],
        ['response cache, cached response', cached],
      ] as const) {
        const actual = visibleResponse(await sendTo(lectern, body, accept));
        if (JSON.stringify(actual) !== JSON.stringify(expected)) differences.push({ strategy, body, expected, actual });
      }
      return { differences, expected };
    },
    async close(): Promise<void> {
      await cached.close();
      await auto.close();
      await standard.close();
    },
  };
}

export type ExecutionStrategies = Awaited<ReturnType<typeof startExecutionStrategies>>;
