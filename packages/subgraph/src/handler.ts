import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { errors, httpStatus, isPublicError, type PublicError } from '@lectern/errors';
import type { Logger, WorkContext } from '@lectern/serving';
import {
  errorBody,
  isJsonInUtf8,
  readBody,
  readBudgetHeaders,
  redactKeys,
  reportCpuTime,
  sendJson,
  versesHeader,
} from '@lectern/serving';
import type { Metrics, Span, Tracing } from '@lectern/telemetry';
import { attribute, httpServerAttributes, noSpan, noTracing, silentMetrics } from '@lectern/telemetry';
import { startApollo } from './apollo';
import { type CallerSecrets, createCheckCaller } from './check-caller';
import { createExecuteWithoutApollo, createPerView, type HttpResponse } from './execute';
import { createSubgraphOperationCache } from './operations';
import { defaultMaxTokens } from './settings';
import type { Subgraph } from './subgraph';

/** The options of the handler. Without secrets, every caller is served, and `host` must be a loopback address. */
export interface GraphqlHandlerOptions extends CallerSecrets {
  host: string;
  tracing?: Tracing;
  metrics?: Metrics;
  log: Logger;
  /** Whether operations are compiled, and valid requests are executed without Apollo Server. */
  compiled?: boolean;
  maxTokens?: number;
  now?: () => number;
}

/** The maximum length, in UTF-16 units, of a text that is converted to UTF-8 in less than a millisecond. */
const maxShortText = 100_000;

const httpRoute = { route: '/graphql', scheme: 'http' } as const;

/** The minimum interval between log lines about callers that are rejected for the same reason, in milliseconds. */
const logRejectionsEveryMs = 10_000;

/** Creates the handler of POST /graphql, which checks the caller before it reads the body. */
export async function createGraphqlHandler<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  {
    host,
    tracing = noTracing,
    metrics = silentMetrics,
    log,
    compiled = true,
    maxTokens = defaultMaxTokens,
    now = Date.now,
    ...secrets
  }: GraphqlHandlerOptions,
) {
  const checkCaller = createCheckCaller(secrets, { subgraph: subgraph.name, host, now });
  const rejectCaller = createRejectCaller(log, now);
  const open = async (view: Subgraph<Context>) => {
    const operations = createSubgraphOperationCache(view.schema, { compiled, maxTokens });
    return {
      apollo: await startApollo(view, { operations: compiled ? operations : null, maxTokens, log }),
      executeWithoutApollo: compiled ? createExecuteWithoutApollo(view, { operations, log }) : async () => null,
    };
  };
  const withoutRights = await open(subgraph);
  const openView = createPerView(open);
  const count = metrics.counter({
    name: 'lectern_subgraph_requests_total',
    help: 'Requests that the subgraph executed: compiled, or by Apollo Server because they are unusual or invalid.',
    labels: ['execution'],
  });

  const execute = async (
    request: IncomingMessage,
    response: ServerResponse,
    { span, rights }: { span: Span; rights: string },
  ): Promise<void> => {
    const body = await readJsonBody(request);
    const view = rights === '' ? subgraph : subgraph.withRights(rights);
    const { apollo, executeWithoutApollo } = view === subgraph ? withoutRights : await openView(view);
    const work = subgraph.scheduler.createBudget(readBudgetHeaders(request.headers));
    const executed = await executeWithoutApollo(request, body, work);
    count({ execution: executed ? 'compiled' : 'apollo-server' });
    // An invalid operation has already been validated in this turn of the event loop. Apollo Server validates it again,
    // which may take tens of milliseconds. So this waits for a later turn.
    if (!executed) await subgraph.scheduler.nextTurn(work.clients);
    const result = executed ?? (await apollo.execute(request, body, work));
    const verses = work.verses.report();
    const headers = {
      ...result.headers,
      ...reportCpuTime(work),
      ...(verses !== '' && { [versesHeader]: verses }),
      ...(rights !== '' && { vary: 'Authorization' }),
    };
    const bytes = send(response, { ...result, headers }, subgraph);
    if (span.isRecorded) describeSpan(span, body, { status: response.statusCode, bytes });
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { reason, rights } = checkCaller(request);
    if (reason !== null) return rejectCaller(request, response, reason);
    if (!tracing.on) return execute(request, response, { span: noSpan, rights });
    // The span begins after the check of the caller, so that rejected callers write no spans.
    return tracing.from(request.headers)(
      { name: 'GraphQL Operation', kind: 'server', attributes: httpServerAttributes(request, httpRoute) },
      (span) => execute(request, response, { span, rights }),
    );
  };

  return {
    handle: (request: IncomingMessage, response: ServerResponse): Promise<void> =>
      respond(request, response).catch((error) => sendFailure(request, response, { error, log })),
    stop: () => withoutRights.apollo.stop(),
  };
}

function send(
  response: ServerResponse,
  { status, headers, text, embeddingCalls, hints, maxAge }: HttpResponse,
  { dataset, unavailableFields }: Pick<Subgraph, 'dataset' | 'unavailableFields'>,
): number {
  // A long text is converted to UTF-8 here. Node.js would convert it twice: to compute its length and to send it.
  const content = typeof text === 'string' && text.length > maxShortText ? Buffer.from(text) : text;
  const bytes = Buffer.byteLength(content);
  const unavailable = unavailableFields();
  response
    .writeHead(status, {
      'cache-control': status === 200 ? `public, max-age=${maxAge}` : 'no-store',
      ...headers,
      ...(dataset && { 'x-lectern-dataset-version': dataset.datasetVersion() }),
      // The gateway reports these fields in its response to GET /ready.
      ...(unavailable.length > 0 && { 'x-lectern-unavailable-fields': unavailable.join(',') }),
      ...(embeddingCalls > 0 && { 'x-lectern-embedding-calls': embeddingCalls }),
      ...(hints.length > 0 && { 'x-lectern-hints': encodeURIComponent(JSON.stringify(hints)) }),
      'content-length': bytes,
    })
    .end(content);
  return bytes;
}

/** Creates the function that rejects a caller without a valid secret with status 401, and logs the reason. */
function createRejectCaller(log: Logger, now: () => number) {
  const loggedAt = new Map<string, number>();
  return (request: IncomingMessage, response: ServerResponse, reason: string): void => {
    if (now() - (loggedAt.get(reason) ?? 0) >= logRejectionsEveryMs) {
      loggedAt.set(reason, now());
      const { remoteAddress: address } = request.socket;
      log.warn({ reason, address }, 'rejected a caller without a valid gateway token or header');
    }
    // The body was not read, so the connection cannot be reused.
    response.setHeader('connection', 'close').setHeader('www-authenticate', 'Lectern');
    const extensions = { code: errors.unauthenticated.code };
    sendJson(response, 401, { errors: [{ message: 'This subgraph answers its gateway only.', extensions }] });
  };
}

/** Sends a public error. Logs any other, and sends "Internal server error" or closes a begun response. */
export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  { error, log }: { error: unknown; log: Logger },
): void {
  // The gateway has closed the connection while it was sending the request.
  if (request.destroyed && !request.complete) return void response.destroy();
  if (isPublicError(error)) return sendError(response, error);
  log.error({ err: error }, 'a request failed');
  if (response.headersSent) response.destroy();
  else sendError(response, errors.internal());
}

const sendError = (response: ServerResponse, error: PublicError): void =>
  sendJson(response, httpStatus(error.extensions.code), errorBody(error));

/** In bytes, before and after decompression. A gateway fetches many entities at once, but needs less. */
const maxBodyBytes = 10 * 1024 * 1024;

/** By content coding. Apollo Router can compress its requests (`traffic_shaping`). */
const decompress = new Map([
  ['gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** Throws `unsupportedMediaType`, `bodyTooLarge`, `malformedHttp`, `invalidBody` or `invalidJson`. */
async function readJsonBody(request: IncomingMessage): Promise<unknown> {
  const { 'content-type': type, 'content-encoding': coding = 'identity' } = request.headers;
  if (!isJsonInUtf8(type)) throw errors.unsupportedMediaType();
  const read = await readBody(request, maxBodyBytes);
  if (read.kind === 'too-long') throw errors.bodyTooLarge(maxBodyBytes);
  if (read.kind === 'broken-off') throw errors.malformedHttp();
  const body = coding === 'identity' ? read.body : await decode(read.body, coding);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw errors.invalidJson();
  }
}

async function decode(body: Buffer, coding: string): Promise<Buffer> {
  const name = coding.trim().toLowerCase();
  if (name === 'identity' || name === '') return body;
  const decoder = decompress.get(name);
  if (!decoder) throw errors.unsupportedMediaType();
  try {
    return await decoder(body, { maxOutputLength: maxBodyBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw errors.bodyTooLarge(maxBodyBytes);
    throw errors.invalidBody(`The request body is not valid ${name}, which Content-Encoding declares.`);
  }
}

const maxNameCharacters = 100;

function describeSpan(span: Span, body: unknown, { status, bytes }: { status: number; bytes: number }): void {
  const { query, operationName, variables } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const { representations } = (variables ?? {}) as { representations?: unknown };
  const type = operationTypeOf(query);
  if (type !== null) span.rename(type);
  span.set({
    ...(type !== null && { [attribute.graphqlOperationType]: type }),
    ...(typeof operationName === 'string' && {
      [attribute.graphqlOperationName]: redactKeys(operationName.slice(0, maxNameCharacters)),
    }),
    [attribute.httpResponseStatusCode]: status,
    [attribute.httpResponseBodySize]: bytes,
    'lectern.entity.count': Array.isArray(representations) ? representations.length : 0,
  });
  if (status >= 500) span.fail(String(status));
}

/** Reads the first word of a document, because routers write the operation before its fragments. */
function operationTypeOf(query: unknown): 'query' | 'mutation' | null {
  const [, keyword] = (typeof query === 'string' && /^\s*(query\b|mutation\b|\{)/.exec(query)) || [];
  if (keyword === undefined) return null;
  return keyword === 'mutation' ? 'mutation' : 'query';
}
