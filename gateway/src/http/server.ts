import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { errors, httpStatus } from '@lectern/errors';
import { refusal, sendJson, sendRefusal } from './answer';

export interface ServerParts {
  graphql: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** False while the process is draining or not up yet. */
  isReady: () => boolean;
}

/** The gateway's paths. Nothing here looks at a query. */
export function createGatewayServer({ graphql, isReady }: ServerParts): Server {
  const route = (request: IncomingMessage, response: ServerResponse): void => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/graphql') void graphql(request, response);
    else if (path === '/health') sendJson(response, 200, { status: 'ok' });
    else if (path === '/ready') sendJson(response, isReady() ? 200 : 503, { status: isReady() ? 'ready' : 'not ready' });
    else sendRefusal(response, errors.unknownPath());
  };
  // Longer than the 60 s for which load balancers keep a connection, or they would send a request into one just closed.
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 }, route);
  // Without these two, node itself would say "100 Continue" before the key is looked at, and 417 without a body.
  server.on('checkContinue', route);
  server.on('checkExpectation', route);
  server.on('clientError', refuseOnSocket);
  return server;
}

/** What is not even HTTP gets JSON like everything else. */
function refuseOnSocket(fault: NodeJS.ErrnoException, socket: Duplex): void {
  if (fault.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = faultOf(fault.code);
  const status = httpStatus(error.extensions.code);
  const body = JSON.stringify(refusal(error));
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);
}

function faultOf(code: string | undefined) {
  if (code === 'HPE_HEADER_OVERFLOW') return errors.headersTooLarge();
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? errors.requestTimeout() : errors.malformedHttp();
}
