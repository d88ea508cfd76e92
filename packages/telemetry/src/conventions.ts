import type { IncomingMessage } from 'node:http';
import type * as conventions from '@opentelemetry/semantic-conventions/incubating';

type Conventions = typeof conventions;
type StandardName = Conventions[Extract<keyof Conventions, `ATTR_${string}`>];

/** OpenTelemetry's names, checked by the compiler. Loading its package would take 27 ms. */
export const attribute = {
  errorType: 'error.type',
  graphqlOperationName: 'graphql.operation.name',
  graphqlOperationType: 'graphql.operation.type',
  httpRequestMethod: 'http.request.method',
  httpRequestResendCount: 'http.request.resend_count',
  httpResponseBodySize: 'http.response.body.size',
  httpResponseStatusCode: 'http.response.status_code',
  httpRoute: 'http.route',
  networkProtocolVersion: 'network.protocol.version',
  serverAddress: 'server.address',
  serverPort: 'server.port',
  serviceName: 'service.name',
  serviceVersion: 'service.version',
  urlFull: 'url.full',
  urlPath: 'url.path',
  urlScheme: 'url.scheme',
} as const satisfies Readonly<Record<string, StandardName>>;

/** The attributes of a span. They may contain an operation name, but never an API key, variables or a query. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

const knownMethods = new Set(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE']);

/** `_OTHER` for an unknown method: clients could create any number of time series. */
export const httpMethod = (method: string | undefined): string =>
  method !== undefined && knownMethods.has(method) ? method : '_OTHER';

/** Matches a Host header: a host name or an IP address, with an optional port. */
const hostHeader = /^(\[[0-9a-f:.]{2,45}\]|[\w.-]{1,253})(?::(\d{1,5}))?$/i;

/** Returns the attributes of a server's span. A Host header that is neither a name nor an address is left out. */
export function httpServerAttributes(
  { method, headers, httpVersion }: IncomingMessage,
  { route, scheme }: { route: string; scheme: 'http' | 'https' },
): SpanAttributes {
  const [, address, port] = hostHeader.exec(headers.host ?? '') ?? [];
  return {
    [attribute.httpRequestMethod]: httpMethod(method),
    [attribute.httpRoute]: route,
    [attribute.urlPath]: route,
    [attribute.urlScheme]: scheme,
    [attribute.networkProtocolVersion]: httpVersion,
    ...(address !== undefined && { [attribute.serverAddress]: address }),
    ...(port !== undefined && { [attribute.serverPort]: Number(port) }),
  };
}
