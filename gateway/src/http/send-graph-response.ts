import type { HeaderList, ResponseMediaType } from '@lectern/serving';
import { sendText } from '@lectern/serving';
import { createRateLimitHeaders } from '../admission/rate-limit-headers';
import type { LimitState } from '../admission/rate-limiter';
import type { Awaitable } from '../awaitable';
import { thenMaybe } from '../awaitable';
import { compressBody } from './compress-body';
import { deprecationHeaders } from './deprecation-and-link-headers';
import type { Exchange } from './exchange-type-and-quota-refund';
import type { GraphResponse } from './run-graph-stages';

/**
 * Creates the function that returns the headers of any response: the headers of the exchange and of
 * the rate limits that are known.
 */
export function createResponseHeaders(): (exchange: Exchange) => HeaderList {
  const rateLimitHeaders = createRateLimitHeaders();
  return ({ headers, quota, keyRate, address }) => {
    const states: LimitState[] = [];
    if (quota) states.push(quota);
    if (keyRate) states.push(keyRate);
    if (address) states.push(address);
    return states.length === 0 ? headers : [...headers, ...rateLimitHeaders(states)];
  };
}

/**
 * The name of a request header. With `Lectern-Report: cost`, the response reports the cost of the
 * operation and the quota of the key. The response also reports deprecated fields and arguments
 * that the operation uses, and hints: advice of the subgraphs for the developer of the client.
 */
const reportHeader = 'lectern-report';

/**
 * Sends a GraphQL response, compressed if the client accepts that. `baseHeaders` are those of any
 * response. Returns the status.
 */
export function sendGraphResponse(
  exchange: Exchange,
  mediaType: ResponseMediaType,
  { result, baseHeaders }: { result: GraphResponse; baseHeaders: HeaderList },
): Awaitable<number> {
  // GraphQL over HTTP: under application/json a rejected operation has the status 200 too.
  const status = result.isRejected && mediaType === 'application/graphql-response+json' ? 400 : 200;
  const { request, response } = exchange;
  const withReport = request.headers[reportHeader] === 'cost';
  const body = withReport ? withExtensions(result.body, costReport(result, exchange.quota)) : result.body;
  const forms = withReport ? null : result.compressedForms;
  const { deprecations } = result;
  const headers = deprecations.length === 0 ? baseHeaders : [...baseHeaders, ...deprecationHeaders(deprecations)];
  return thenMaybe(compressBody(request.headers, body, forms), (encoded) => {
    const { coding } = encoded;
    sendText(
      response,
      status,
      encoded.body,
      coding === null ? headers : [...headers, 'Content-Encoding', coding],
      `${mediaType}; charset=utf-8`,
    );
    return status;
  });
}

const costReport = ({ cost, deprecations, hints }: GraphResponse, quota: LimitState | null) => ({
  ...(cost && {
    cost: {
      complexity: cost.complexity,
      maxComplexity: cost.maxComplexity,
      depth: cost.depth,
      maxDepth: cost.maxDepth,
    },
  }),
  ...(quota &&
    quota.max !== Infinity && {
      quota: { limit: quota.max, remaining: quota.remaining, resetSeconds: quota.secondsLeft },
    }),
  ...(deprecations.length > 0 && { deprecations }),
  ...(hints.length > 0 && { hints }),
});

/**
 * Adds the member `extensions` to a body, before its last brace. The body is a JSON object with at
 * least one member.
 */
function withExtensions(body: string | Buffer, extensions: unknown): string | Buffer {
  const end = `,"extensions":${JSON.stringify(extensions)}}`;
  // Converting a buffer of 6 MB to text and back would block the event loop for 50 ms.
  return typeof body === 'string' ? body.slice(0, -1) + end : Buffer.concat([body.subarray(0, -1), Buffer.from(end)]);
}
