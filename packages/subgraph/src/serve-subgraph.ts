import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import type { CatalogueError } from '@lectern/errors';
import { errors, httpStatus, isCatalogueError } from '@lectern/errors';
import type { Listening, Logger } from '@lectern/serving';
import { listen } from '@lectern/serving';
import type { Span, Tracing } from '@lectern/telemetry';
import { noSpan, noTracing } from '@lectern/telemetry';
import { createExecuteWithoutApollo } from './execute-without-apollo';
import type { PassFault } from './gateway-pass';
import { createPassCheck, readSecrets } from './gateway-pass';
import { maskError } from './mask-error';
import { readJson } from './read-json';
import type { Subgraph } from './subgraph';

export interface ServeOptions {
  host: string;
  port: number;
  /** As the setting SUBGRAPH_SECRET has it. Empty: anybody may ask, and the host has to be this machine's own. */
  secrets: string;
  /** Off unless it is given. */
  tracing?: Tracing;
  log: Logger;
  /** Whether operations are compiled and answered without Apollo Server where that can be. The answers are the same. */
  direct?: boolean;
  now?: () => number;
}

const directHeaders = { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' };

/** Tells the gateway that it may hand these bytes on as they are: `{"data":{...}}`. */
const whole = { 'x-lectern-answer': 'whole' };

/** How often it is logged at most that callers are refused, for each reason. */
const refusalsLoggedEveryMs = 10_000;

/**
 * Serves one subgraph over HTTP for a gateway: POST /graphql, GET /health (the process lives), GET /ready (it answers). With a secret, /graphql is
 * for gateways that know it and nobody else, and is refused before a body is read.
 * `close` drains: /ready turns 503, requests under way finish, then the subgraph's own files are closed.
 */
export async function serveSubgraph<Context>(
  subgraph: Subgraph<Context>,
  { host, port, secrets: setting, tracing = noTracing, log, direct = true, now = Date.now }: ServeOptions,
): Promise<Listening> {
  const secrets = readSecrets(setting, { subgraph: subgraph.name, host });
  const passFault = secrets.length === 0 ? () => null : createPassCheck({ secrets, subgraph: subgraph.name, now });
  const apollo = new ApolloServer<Context & object>({
    schema: subgraph.schema,
    introspection: true,
    persistedQueries: false,
    csrfPrevention: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    logger: log,
    // No gateway of ours asks for traces.
    plugins: [ApolloServerPluginInlineTraceDisabled()],
    formatError: (formatted, error) => maskError(formatted, error, log),
  });
  await apollo.start();
  const answerDirectly = direct ? createExecuteWithoutApollo(subgraph, { log, compiled: true }) : async () => null;
  const served = subgraph.datasetVersion === null ? {} : { 'x-lectern-corpus': subgraph.datasetVersion };
  let draining = false;
  const refusalsLogged = new Map<PassFault, number>();

  const refuseStranger = (request: IncomingMessage, response: ServerResponse, fault: PassFault): void => {
    if (now() - (refusalsLogged.get(fault) ?? 0) >= refusalsLoggedEveryMs) {
      refusalsLogged.set(fault, now());
      log.warn(
        { fault, address: request.socket.remoteAddress },
        'refused a caller that is no gateway with our SUBGRAPH_SECRET',
      );
    }
    // Its body is not read: the connection has served its turn.
    response.setHeader('connection', 'close').setHeader('www-authenticate', 'Lectern');
    respond(response, 401, {
      errors: [
        { message: 'This subgraph answers its gateway only.', extensions: { code: errors.unauthenticated.code } },
      ],
    });
  };

  const execute = async (request: IncomingMessage, response: ServerResponse, span: Span): Promise<void> => {
    const body = await readJson(request);
    if (isCatalogueError(body)) return refuse(response, body);
    const send = (status: number, headers: OutgoingHttpHeaders, text: string): void => {
      const bytes = Buffer.byteLength(text);
      if (tracing.on)
        span.set({
          'http.response.status_code': status,
          'lectern.entities': entitiesIn(body),
          'lectern.answer.bytes': bytes,
        });
      response.writeHead(status, { ...headers, ...served, 'content-length': bytes }).end(text);
    };
    const answered = await answerDirectly(request, body);
    if (answered) return send(200, { ...directHeaders, ...(answered.isWhole && whole) }, answered.body);
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value);
    const answer = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: request.method ?? 'POST', headers, search: '', body },
      context: async () => subgraph.createContext() as Context & object,
    });
    if (answer.body.kind !== 'complete') throw new Error('a subgraph answers in one piece');
    return send(answer.status ?? 200, Object.fromEntries(answer.headers), answer.body.string);
  };

  const graphql = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = passFault(request.headers.authorization);
    if (fault) return refuseStranger(request, response, fault);
    if (!tracing.on) return execute(request, response, noSpan);
    // Strangers are refused above: whoever is no gateway of ours writes nothing to the collector.
    return tracing.from(request.headers)(
      { name: `answer ${subgraph.name}`, kind: 'server', attributes: { 'lectern.subgraph': subgraph.name } },
      (span) => execute(request, response, span),
    );
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0];
    if (path === '/health') return respond(response, 200, { status: 'ok', subgraph: subgraph.name });
    if (path === '/ready')
      return respond(response, draining ? 503 : 200, {
        status: draining ? 'draining' : 'ready',
        subgraph: subgraph.name,
        ...(subgraph.datasetVersion !== null && { corpus: subgraph.datasetVersion }),
      });
    if (path !== '/graphql') return refuse(response, errors.unknownPath());
    return graphql(request, response);
  };

  // Kept longer than gateways keep connections, so that it is they who close them.
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    (request, response) => {
      handle(request, response).catch((error: unknown) => {
        // The gateway has stopped waiting, in the middle of its question or of our answer.
        if (request.destroyed && !request.complete) return void response.destroy();
        log.error({ err: error }, 'a request failed');
        if (response.headersSent) response.destroy();
        else refuse(response, errors.internal());
      });
    },
  );
  const listening = await listen(server, { host, port }).catch(async (error: unknown) => {
    // What it has open may be threads, and a process that ends in the middle of their start is aborted.
    await subgraph.close();
    throw error;
  });
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

/** How many entities a gateway asks for at once; 0 for the fields of a query. */
function entitiesIn(body: unknown): number {
  const { representations } = (body as { variables?: { representations?: unknown } | null } | null)?.variables ?? {};
  return Array.isArray(representations) ? representations.length : 0;
}

const refuse = (response: ServerResponse, { message, extensions }: CatalogueError): void =>
  respond(response, httpStatus(extensions.code), { errors: [{ message, extensions }] });

function respond(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
