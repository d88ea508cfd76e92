import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errors, httpStatus, isPublicError } from '@lectern/errors';
import { KeyStoreUnavailableError } from '@lectern/keys';
import {
  discardUnreadBody,
  errorBody,
  type Health,
  type Logger,
  pathOf,
  type Route,
  sendError,
} from '@lectern/serving';
import { sendInternalError, sendUnavailable, sendUnknownPath } from '@lectern/site';
import { documentsPath } from './document-get';

const invalidInHost = /[\s/?#@\\]/;

/** Node.js also accepts other versions and several Host headers, which a proxy may route to another server. */
function hasValidHttpVersionAndHost({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  if (host === undefined) return httpVersion === '1.0';
  return !invalidInHost.test(host) && countHosts(rawHeaders) === 1;
}

function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

interface ServerParts {
  graphql: (request: IncomingMessage, response: ServerResponse, isDocument: boolean) => Promise<void>;
  servesDocuments: boolean;
  health: Pick<Health, 'respond'>;
  routes: readonly Route[];
  log: Logger;
}

export function createGatewayServer({ graphql, servesDocuments, health, routes, log }: ServerParts): Server {
  const findRoute = createFindRoute(routes);

  const servePage = async (route: Route, request: IncomingMessage, response: ServerResponse, path: string) => {
    try {
      await route.handle(request, response, path);
    } catch (error) {
      // An outage of the key store or the supergraph is not logged here, because both log their own outages.
      const unavailable = error instanceof KeyStoreUnavailableError ? errors.keysUnavailable() : error;
      if (isPublicError(unavailable) && !response.headersSent) return sendUnavailable(request, response, unavailable);
      const requestId = randomUUID();
      log.error({ err: error, path, requestId }, 'a page failed');
      if (response.headersSent) response.destroy();
      else sendInternalError(request, response, requestId);
    }
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const path = pathOf(request.url ?? '');
    if (!hasValidHttpVersionAndHost(request)) sendError(response, errors.malformedHttp());
    else if (path === '/graphql') return void graphql(request, response, false);
    else if (servesDocuments && path.startsWith(documentsPath)) return void graphql(request, response, true);
    else if (!health.respond(request, response)) {
      const route = findRoute(path);
      if (route) void servePage(route, request, response, path);
      else sendUnknownPath(request, response);
    }
    discardUnreadBody(request, response);
  };
  // Load balancers keep idle connections for 60 s, and would send requests on connections that are being closed.
  // Requests without Host are rejected above, because Node.js rejects them without a body.
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    handle,
  );
  // Closes a connection after 65 s without traffic, so that a client that does not read its response takes no memory.
  server.timeout = 65_000;
  // Node.js would drop headers beyond a maximum number, such as a second Authorization. Their bytes are limited anyway.
  server.maxHeadersCount = 0;
  // Node.js would send `100 Continue` before the key is checked, and 417 without a body for any other Expect header.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  server.on('clientError', rejectOnSocket);
  server.on('connect', (_, socket) => rejectOnSocket(new Error('CONNECT'), socket));
  return server;
}

/** Responds on the bare socket to a request that is not valid HTTP, arrives too slowly or has the method CONNECT. */
function rejectOnSocket(cause: NodeJS.ErrnoException, socket: Duplex): void {
  if (cause.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = parserError(cause.code);
  const status = httpStatus(error.extensions.code);
  const body = JSON.stringify(errorBody(error));
  // Destroys the socket after the response: a half-open socket would delay the end of the process.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function parserError(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? errors.requestTimeout() : errors.malformedHttp();
}

/** A route whose path ends with a slash also serves the paths below. The longest such route is chosen. */
function createFindRoute(routes: readonly Route[]) {
  const exact = new Map(routes.map((route) => [route.path, route]));
  const parents = routes
    .filter((route) => route.path.endsWith('/') && route.path !== '/')
    .sort((a, b) => b.path.length - a.path.length);
  return (path: string): Route | null =>
    exact.get(path) ?? parents.find((route) => path.startsWith(route.path)) ?? null;
}
