import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isPromise } from 'node:util/types';
import { errors, isPublicError, type PublicError } from '@lectern/errors';
import {
  discardUnreadBody,
  type HeaderList,
  type Logger,
  type ResponseMediaType,
  readBody,
  sendError,
  type WorkBudget,
} from '@lectern/serving';
import { httpServerAttributes, noSpan, type Span, type Tracing } from '@lectern/telemetry';
import type { Admission } from '../admission/admit';
import type { LimitState } from '../admission/rate-limiter';
import type { VerseUsage } from '../admission/verse-usage';
import type { DocumentCaller, Documents, RequestParams } from '../documents/resolve';
import type { GatewayMetrics } from '../metrics';
import { type Awaitable, thenMaybe } from '../shared/awaitable';
import type { Cors } from './cors';
import {
  checkDocumentHead,
  type DocumentGetSettings,
  documentsPath,
  documentVary,
  noStoreHeaders,
  parseDocumentUrl,
} from './document-get';
import { type GraphResponse, type GraphStages, type LiveGraph, runGraphStages } from './graph-stages';
import { createReportRequest, type ReportRequest } from './record-request';
import { checkRequestHead, type Exchange, parseParams, pickHeaders } from './request';
import { createResponseHeaders, createSendGraphResponse } from './response';

interface GraphqlHandlerParts {
  admit: (request: IncomingMessage) => Awaitable<Admission>;
  supergraph: LiveGraph;
  documents: Documents;
  cors: Cors;
  maxBodyBytes: number;
  metrics: GatewayMetrics;
  verseUsage: VerseUsage;
  tracing: Tracing;
  /** The names of the client's headers that subgraphs receive, in lower case. */
  forwardHeaders: readonly string[];
  /** How HTTP caches may keep the responses to `GET /documents/ID`. Null if nothing is served there. */
  documentGet: DocumentGetSettings | null;
  /** The scheme by which clients reach the gateway. */
  scheme: 'http' | 'https';
  log: Logger;
}

interface ParsedRequest {
  readonly span: Span;
  readonly mediaType: ResponseMediaType;
  readonly params: RequestParams;
  readonly graph: GraphStages;
  readonly work: WorkBudget;
}

const documentMethods = 'GET, HEAD, OPTIONS';

/** The name of a span for an unknown operation, from the semantic conventions of OpenTelemetry. */
const unknownOperation = 'GraphQL Operation';

/**
 * Handles /graphql and /documents/ as a pipeline: admit, parse, prepare, look up in the cache, execute, format,
 * respond. A stage throws an error of `@lectern/errors`. The order of the checks is part of the API: clients see the
 * first that fails.
 */
export function createGraphqlHandler(parts: GraphqlHandlerParts) {
  const { admit, supergraph, documents, cors, maxBodyBytes, tracing, forwardHeaders, documentGet, verseUsage } = parts;
  const report = createReportRequest(parts);
  const responseHeaders = createResponseHeaders();
  const sendResponse = createSendGraphResponse();

  const handle = async (exchange: Exchange): Promise<void> => {
    const startedAt = Date.now();
    const admitted = admit(exchange.request); // throws unauthenticated, wrongEnvironment, keysUnavailable
    checkAdmission(exchange, isPromise(admitted) ? await admitted : admitted); // throws rateLimited
    try {
      if (tracing.on) await traced(exchange, startedAt, (span) => respond(exchange, span));
      else await respond(exchange, noSpan);
    } catch (error) {
      // A public error means that nothing was executed, so the request does not count against the limit of a day.
      if (isPublicError(error)) refundQuota(exchange);
      report.admittedFailed(exchange, error);
      throw error;
    }
  };

  const respond = async (exchange: Exchange, span: Span): Promise<void> => {
    const { request, response, isDocument } = exchange;
    // Throws methodNotAllowed, unsupportedMediaType ...
    const mediaType = isDocument ? checkDocumentHead(request) : checkRequestHead(request, maxBodyBytes);
    if (request.headers.expect?.toLowerCase() === '100-continue') response.writeContinue();
    const read = isDocument ? null : await readBody(request, maxBodyBytes);
    const lease = supergraph.acquire();
    try {
      const work = lease.graph.createBudget({ clients: [exchange.keyId ?? '', exchange.clientAddress] });
      const responded = work.withoutLimit().run(() => {
        // Throws invalidJson, invalidBody ...
        const params = read ? parseParams(read, maxBodyBytes) : parseDocumentUrl(request.url ?? '');
        checkKeyLimits(exchange); // throws rateLimited
        return respondToParams(exchange, { span, mediaType, params, graph: lease.graph, work });
      });
      if (isPromise(responded)) await responded; // throws tooManyInFlight, supergraphUnavailable
    } finally {
      supergraph.release(lease);
    }
  };

  const respondToParams = (exchange: Exchange, { span, mediaType, params, graph, work }: ParsedRequest) => {
    const resolved = documents.resolve(callerOf(exchange), params); // throws queryNotInSafelist ...
    const send = (result: GraphResponse): Awaitable<void> => {
      if (isRefunded(result)) refundQuota(exchange);
      if (params.documentId !== null && !result.isRejected) documents.register(callerOf(exchange), params);
      const caching = exchange.isDocument ? documentGet : null;
      const sent = sendResponse(exchange, mediaType, result, { baseHeaders: responseHeaders(exchange), work, caching });
      const { operationName: requestedName } = params;
      return thenMaybe(sent, (status) => {
        // A response to HEAD, or with the status 304 (Not Modified), has no texts.
        if (status === 200 && exchange.request.method !== 'HEAD') verseUsage.add(exchange.keyId ?? '', result.verses);
        report.responded(exchange, span, { result, status, requestedName, query: resolved.query });
      });
    };
    const { requestId, keyId, rights, isDocument: isQueryOnly } = exchange;
    const headers = pickHeaders(exchange.request, forwardHeaders);
    return runGraphStages(graph, resolved, { requestId, keyId, rights, span, headers, work, isQueryOnly }, send);
  };

  const traced = (exchange: Exchange, startedAt: number, work: (span: Span) => Promise<void>): Promise<void> => {
    const { request, requestId, keyId = '', isDocument } = exchange;
    const attributes = {
      ...httpServerAttributes(request, { route: isDocument ? documentsPath : '/graphql', scheme: parts.scheme }),
      'lectern.request.id': requestId,
      'lectern.key.id': keyId,
    };
    return tracing.from(request.headers)({ name: unknownOperation, kind: 'server', attributes, startedAt }, work);
  };

  return async (request: IncomingMessage, response: ServerResponse, isDocument: boolean): Promise<void> => {
    if (request.method === 'OPTIONS') {
      discardUnreadBody(request, response);
      return cors.sendPreflight(request, response, isDocument ? documentMethods : 'POST, OPTIONS');
    }
    if (isDocument) discardUnreadBody(request, response);
    const exchange: Exchange = {
      request,
      response,
      requestId: randomUUID(),
      startedAt: performance.now(),
      headers: isDocument ? [...cors.headersFor(request), ...documentVary(forwardHeaders)] : cors.headersFor(request),
      isDocument,
      keyId: undefined,
      rights: '',
      clientAddress: '',
      trustedDocumentsOnly: false,
      address: null,
      keyRate: null,
      quota: null,
    };
    try {
      await handle(exchange);
    } catch (error) {
      respondWithError(exchange, error, report, responseHeaders(exchange));
    }
    return report.httpRequest(exchange);
  };
}

function respondWithError(exchange: Exchange, error: unknown, report: ReportRequest, ownHeaders: HeaderList): void {
  const { request, response, requestId } = exchange;
  if (response.headersSent || response.destroyed) return void response.destroy();
  if (!exchange.isDocument) discardUnreadBody(request, response);
  if (isPublicError(error)) report.rejected(exchange, error.extensions);
  else report.failed(exchange, error);
  const sent = isPublicError(error) ? error : errors.internal(requestId);
  const headers = [...ownHeaders];
  if (exchange.isDocument) headers.push(...noStoreHeaders);
  if (exchange.isDocument && sent.extensions.code === errors.methodNotAllowed.code)
    headers.push('Allow', documentMethods);
  sendError(response, sent, headers);
}

function checkAdmission(exchange: Exchange, admission: Admission): void {
  const { headers, requestId } = exchange;
  // The Cache-Control of a document depends on its response.
  exchange.headers = exchange.isDocument
    ? [...headers, 'X-Request-Id', requestId]
    : [...headers, 'X-Request-Id', requestId, 'Cache-Control', 'private'];
  exchange.address = admission.address;
  if (admission.kind === 'exhausted') throw rateLimitError(admission.address);
  exchange.keyRate = admission.keyRate;
  exchange.quota = admission.quota;
  exchange.keyId = admission.key.id;
  exchange.rights = admission.key.grants;
  exchange.clientAddress = admission.clientAddress;
  exchange.trustedDocumentsOnly = admission.key.documents === 'trusted';
}

function checkKeyLimits({ keyRate, quota }: Exchange): void {
  for (const state of [keyRate, quota]) if (state && !state.allowed) throw rateLimitError(state);
}

const rateLimitError = ({ limit, secondsLeft }: LimitState): PublicError => errors.rateLimited(secondsLeft, limit.name);

const callerOf = ({ keyId = '', trustedDocumentsOnly }: Exchange): DocumentCaller => ({ keyId, trustedDocumentsOnly });

/** Makes the request not count against the key's limit of a day. A second call does nothing. */
function refundQuota(exchange: Exchange): void {
  exchange.quota = exchange.quota?.refund() ?? null;
}

/** Rejections that do not count against the limit of a day, so that a client can try out the limits. */
const refundedCodes: ReadonlySet<string> = new Set([
  errors.tooDeep.code,
  errors.tooComplex.code,
  errors.tooManyTokens.code,
]);

const isRefunded = ({ isRejected, codes }: GraphResponse): boolean =>
  isRejected && codes.some((code) => refundedCodes.has(code));
