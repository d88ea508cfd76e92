import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { errors, httpStatus, isCatalogueError } from '@lectern/errors';
import type { CatalogueError } from '@lectern/errors';
import { listen } from '@lectern/serving';
import type { Listening, Logger } from '@lectern/serving';
import { maskError } from './mask-error';
import type { Subgraph } from './subgraph';

export interface ServeOptions {
  host: string;
  port: number;
  log: Logger;
}

/** The gateway asks for the text of many entities at once; a body beyond this is no request of a gateway's. */
const mostBodyBytes = 10 * 1024 * 1024;

/**
 * Serves one subgraph over HTTP for a gateway: POST /graphql, GET /health (the process lives), GET /ready (it answers).
 * `close` drains: /ready turns 503, requests under way finish, then the subgraph's own files are closed.
 */
export async function serveSubgraph<Context>(subgraph: Subgraph<Context>, { host, port, log }: ServeOptions): Promise<Listening> {
  const apollo = new ApolloServer<Context & object>({
    schema: subgraph.schema,
    introspection: true,
    persistedQueries: false,
    csrfPrevention: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    logger: log,
    formatError: (formatted, error) => maskError(formatted, error, log),
  });
  await apollo.start();
  let draining = false;

  const graphql = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await readJson(request);
    if (isCatalogueError(body)) return refuse(response, body);
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) if (typeof value === 'string') headers.set(name, value);
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method ?? 'POST', headers, search: '', body },
      context: async () => subgraph.createContext() as Context & object,
    });
    if (answer.body.kind !== 'complete') throw new Error('a subgraph answers in one piece');
    response.writeHead(answer.status ?? 200, Object.fromEntries(answer.headers)).end(answer.body.string);
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/health') return respond(response, 200, { status: 'ok', subgraph: subgraph.name });
    if (path === '/ready') return respond(response, draining ? 503 : 200, { status: draining ? 'draining' : 'ready', subgraph: subgraph.name });
    if (path !== '/graphql') return refuse(response, errors.unknownPath());
    return graphql(request, response);
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request failed');
      if (response.headersSent) response.destroy();
      else refuse(response, errors.internal());
    });
  });
  const listening = await listen(server, { host, port });
  log.info({ host, port: listening.port, subgraph: subgraph.name }, 'subgraph ready');
  return {
    ...listening,
    close: async (graceMs) => {
      draining = true;
      await listening.close(graceMs);
      await apollo.stop();
      await subgraph.close();
    },
  };
}

/** The body, or why it cannot be read. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBodyBytes) return errors.bodyTooLarge(mostBodyBytes);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return errors.invalidJson();
  }
}

const refuse = (response: ServerResponse, { message, extensions }: CatalogueError): void => respond(response, httpStatus(extensions.code), { errors: [{ message, extensions }] });

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
