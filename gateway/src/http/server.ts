import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errors, httpStatus } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import { errorBody, sendError, sendJson } from '@lectern/serving';
import type { Route } from '@lectern/site';
import type { VersionSkew } from '../transport/http-subgraphs';
import { createRouter } from './router';
import { cutUnreadBody } from './unread-body';

export interface ServerParts {
  graphql: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** False while the process is draining or not up yet. */
  isReady: () => boolean;
  /** Where subgraphs serve different texts, what each serves. The gateway takes requests all the same. */
  versionSkew?: () => VersionSkew | null;
  /** What is served beside the API: pages and what they need. */
  routes: readonly Route[];
  /** Answers where nothing is served. */
  unknownPath: (request: IncomingMessage, response: ServerResponse) => void;
  /** Answers in place of a page that failed. */
  failedPage: (request: IncomingMessage, response: ServerResponse, requestId: string) => void;
  log: Logger;
}

/** The gateway's paths. Nothing here looks at a query. */
export function createGatewayServer({
  graphql,
  isReady,
  versionSkew = () => null,
  routes,
  unknownPath,
  failedPage,
  log,
}: ServerParts): Server {
  const routeOf = createRouter(routes);

  const serve = async (
    found: Route,
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
  ): Promise<void> => {
    try {
      await found.handle(request, response, path);
    } catch (error) {
      const requestId = randomUUID();
      log.error({ err: error, path, requestId }, 'a page failed');
      if (response.headersSent) response.destroy();
      else failedPage(request, response, requestId);
    }
  };

  const sendReadiness = (response: ServerResponse): void => {
    const corpora = versionSkew();
    sendJson(response, isReady() ? 200 : 503, {
      status: isReady() ? 'ready' : 'not ready',
      ...(corpora && { mixedData: corpora }),
    });
  };

  const route = (request: IncomingMessage, response: ServerResponse): void => {
    const path = pathOf(request.url ?? '');
    if (request.headers.host === undefined && request.httpVersion === '1.1')
      sendError(response, errors.malformedHttp());
    else if (path === '/graphql') return void graphql(request, response);
    else if (path === '/health') sendJson(response, 200, { status: 'ok' });
    else if (path === '/ready') sendReadiness(response);
    else {
      const found = routeOf(path);
      if (found) void serve(found, request, response, path);
      else unknownPath(request, response);
    }
    cutUnreadBody(request, response);
  };
  // Longer than the 60 s for which load balancers keep a connection, or they would send a request into one just closed.
  // A request without Host is refused above, with a body that node's own errorBody lacks.
  const server = createServer(
    {
      requestTimeout: 30_000,
      headersTimeout: 10_000,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
    },
    route,
  );
  // Node would drop headers beyond a count, and with them perhaps a second Authorization; their bytes are bounded anyway.
  server.maxHeadersCount = 0;
  // Without these two, node itself would say "100 Continue" before the key is looked at, and 417 without a body.
  server.on('checkContinue', route);
  server.on('checkExpectation', route);
  server.on('clientError', refuseOnSocket);
  server.on('connect', (_, socket) => refuseOnSocket(new Error('CONNECT'), socket));
  return server;
}

/** The path of a request's target, which may also be a whole URL. */
function pathOf(target: string): string {
  if (target === '/graphql') return target;
  const path = target.replace(/^https?:\/\/[^/?]*/i, '');
  return path.split('?', 1)[0] ?? '';
}

/** What is not even HTTP gets JSON like everything else. */
function refuseOnSocket(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = faultOf(fault.code);
  const status = httpStatus(error.extensions.code);
  const body = JSON.stringify(errorBody(error));
  // Not left half open: it would hold up the end of the process.
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

function faultOf(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? errors.requestTimeout() : errors.malformedHttp();
}
