import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import type { GraphqlResponse } from '../graphql-client';
import { send } from '../send-http-request';
import type { SizeLimits } from './fit-to-limits';
import type { PrintedOperation } from './print-operation';
import type { MeasuredProcess } from './process-with-event-loop-meter';

export interface MeasuredOperation {
  /** The longest event-loop delay of a request with this operation, in milliseconds of CPU time. */
  delayMs: number;
  status: number;
  body: GraphqlResponse;
}

/**
 * The largest request that a client may send: MAX_BODY_BYTES, and as many fields as fit MAX_TOKENS.
 * The gateway closes the connection of a request with a larger body.
 */
export const maxClientRequest: SizeLimits = { bytes: 100_000, fields: 5_000 };

/**
 * The largest request that a gateway sends to a subgraph. The request may list many entities. The
 * cost limit of the client's operation bounds the number of fields.
 */
export const maxSubgraphRequest: SizeLimits = { bytes: 2_000_000, fields: 300 };

export interface OperationMeterOptions {
  service: MeasuredProcess;
  /** The headers of each request, as alternating names and values. */
  headers: readonly string[];
  /** Larger bodies are not sent, and count as rejected with status 413. */
  maxBodyBytes: number;
}

/** Fetches the schema of a service by introspection. */
export async function fetchSchema(url: string, headers: readonly string[]): Promise<GraphQLSchema> {
  const { json } = await send(url, { headers, body: JSON.stringify({ query: getIntrospectionQuery() }) });
  return buildClientSchema((json() as { data: IntrospectionQuery }).data);
}

/**
 * Creates the function that sends an operation to a service and measures how long it blocks the
 * service's event loop.
 */
export function createOperationMeter({ service, headers, maxBodyBytes }: OperationMeterOptions) {
  let documents = 0;

  /**
   * Sends a document that the service has never seen, and then the same document, which the service
   * has prepared.
   */
  const measureOnce = async ({ query, variables }: PrintedOperation): Promise<MeasuredOperation> => {
    documents += 1;
    const body = JSON.stringify({
      query: query.replace(' W', ` W${documents}`),
      variables,
      operationName: `W${documents}`,
    });
    if (Buffer.byteLength(body) > maxBodyBytes) return { delayMs: 0, status: 413, body: {} };
    const request = async () => {
      let status = 0;
      let text = '';
      const delayMs = await service.longestDelay(async () => {
        ({ status, text } = await send(`${service.origin}/graphql`, { headers, body }));
      });
      return { delayMs, status, body: JSON.parse(text) as GraphqlResponse };
    };
    const first = await request();
    // The service rejects an invalid document again without work, so a second request shows
    // nothing.
    if (first.body.data === undefined) return first;
    const second = await request();
    return second.delayMs > first.delayMs ? second : first;
  };

  return {
    /**
     * Measures an operation several times and returns the shortest delay, which garbage collection
     * did not prolong. Stops at the first delay of at most `shortEnoughMs`.
     */
    async measure(operation: PrintedOperation, repetitions = 1, shortEnoughMs = 0): Promise<MeasuredOperation> {
      let shortest = await measureOnce(operation);
      for (let repetition = 1; repetition < repetitions && shortest.delayMs > shortEnoughMs; repetition += 1) {
        const measured = await measureOnce(operation);
        if (measured.delayMs < shortest.delayMs) shortest = measured;
      }
      return shortest;
    },
  };
}
export type OperationMeter = ReturnType<typeof createOperationMeter>;
