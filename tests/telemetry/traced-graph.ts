import type { StartedProcess } from '@lectern/testing';
import { dataDir, graphqlHeaders, send } from '@lectern/testing';
import type { ReceivedSpan } from '../support/otlp-collector';
import { startOtlpCollector } from '../support/otlp-collector';
import { openProcesses, waitUntil } from '../support/processes';

export const secret = 'a secret of tests as long as it has to be';
/** Settings with which a process exports its spans after 50 ms instead of five seconds. */
export const exportAtOnce = { OTEL_BSP_SCHEDULE_DELAY: '50' };

/**
 * Returns what a span measures. `request` is the whole request at the gateway, `to text` is the
 * gateway's request to the text subgraph, and `at lectern-text` is the work of the text subgraph.
 */
function placeOf({ kind, service, attributes }: ReceivedSpan): string {
  const isClient = kind === 3;
  if (isClient) return `to ${String(attributes['lectern.subgraph.name'])}`;
  return attributes['lectern.request.id'] === undefined ? `at ${service}` : 'request';
}

/** Starts a gateway and the subgraphs text and search, which send their traces to one collector. */
export async function startTracedGraph() {
  const processes = await openProcesses();
  const collector = await startOtlpCollector();
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...exportAtOnce };
  const settings = { LECTERN_DATA: dataDir, SUBGRAPH_SECRET: secret, ...traced };
  const text: StartedProcess = await processes.start('services/text/dist/main.js', settings);
  const search = await processes.start('services/search/dist/main.js', {
    SEMANTIC_TRANSLATIONS: '',
    OTEL_SERVICE_NAME: 'our-search',
    ...settings,
  });
  const { gateway } = await processes.startGateway(
    { text: [text.origin], search: [search.origin] },
    { SUBGRAPH_SECRET: secret, ...traced },
  );
  const inTrace = (id: string): ReceivedSpan[] => collector.spans().filter((span) => span.traceId === id);
  const traceOfRequest = (id: unknown): string =>
    collector.spans().find(({ attributes }) => attributes['lectern.request.id'] === id)?.traceId ?? '';
  return {
    processes,
    collector,
    text,
    gateway,
    client: (
      query: string,
      {
        variables,
        headers = [],
        origin = gateway.origin,
      }: { variables?: Record<string, unknown>; headers?: string[]; origin?: string } = {},
    ) =>
      send(`${origin}/graphql`, {
        headers: [...graphqlHeaders(processes.token), ...headers],
        body: JSON.stringify({ query, variables }),
      }),
    inTrace,
    traceOfRequest,
    /** Waits until the trace of a request has `count` spans. Returns the spans by `placeOf`. */
    async spansOf(requestId: unknown, count: number): Promise<Map<string, ReceivedSpan>> {
      await waitUntil(() => inTrace(traceOfRequest(requestId)).length >= count);
      return new Map(inTrace(traceOfRequest(requestId)).map((span) => [placeOf(span), span]));
    },
    async close(): Promise<void> {
      await processes.close();
      await collector.close();
    },
  };
}

export type TracedGraph = Awaited<ReturnType<typeof startTracedGraph>>;
