import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '@lectern/errors';
import {
  acceptedMediaType,
  type HeaderList,
  isDeclaredTooLong,
  isJsonInUtf8,
  isJsonObject,
  type ReadBody,
  type ResponseMediaType,
} from '@lectern/serving';
import type { LimitState } from '../admission/rate-limiter';
import { hashQuery } from '../documents/manifest';
import type { RequestParams } from '../documents/resolve';

/** Whether the headers declare an uncompressed JSON body in UTF-8. */
function declaresJsonBody(headers: IncomingHttpHeaders): boolean {
  // A transfer coding other than chunked means a compressed body.
  if (!/^\s*(chunked\s*)?$/i.test(headers['transfer-encoding'] ?? '')) return false;
  if (!/^\s*(identity\s*)?$/i.test(headers['content-encoding'] ?? '')) return false;
  return headers['content-type'] === 'application/json' || isJsonInUtf8(headers['content-type']);
}

/**
 * Checks method and headers before the body is read. Throws `methodNotAllowed`, `bodyTooLarge`, `unsupportedMediaType`
 * or `notAcceptable`.
 */
export function checkRequestHead(request: IncomingMessage, maxBodyBytes: number): ResponseMediaType {
  if (request.method !== 'POST') throw errors.methodNotAllowed();
  if (isDeclaredTooLong(request, maxBodyBytes)) throw errors.bodyTooLarge(maxBodyBytes);
  if (!declaresJsonBody(request.headers)) throw errors.unsupportedMediaType();
  return acceptedMediaType(request.headers);
}

/** Parses the body of a request. Throws `bodyTooLarge`, `malformedHttp`, `invalidJson` or `invalidBody`. */
export function parseParams(read: ReadBody, maxBodyBytes: number): RequestParams {
  if (read.kind === 'too-long') throw errors.bodyTooLarge(maxBodyBytes);
  if (read.kind === 'broken-off') throw errors.malformedHttp();
  const value = parseJson(read.body);
  if (Array.isArray(value)) throw errors.invalidBody('Batches are not supported: send one operation in a request.');
  if (!isJsonObject(value)) throw errors.invalidBody('The request body must be a JSON object with a member "query".');
  const { query = null, variables = null, operationName = null, extensions = null, documentId = null } = value;
  if (variables !== null && !isJsonObject(variables))
    throw errors.invalidBody('The member "variables" must be an object, null or absent.');
  if (operationName !== null && typeof operationName !== 'string')
    throw errors.invalidBody('The member "operationName" must be a string, null or absent.');
  if (extensions !== null && !isJsonObject(extensions))
    throw errors.invalidBody('The member "extensions" must be an object, null or absent.');
  if ((value['onError'] ?? 'PROPAGATE') !== 'PROPAGATE')
    throw errors.invalidBody(
      'The member "onError" must be "PROPAGATE" or absent: other error behaviours are not supported.',
    );
  const sha256Hash = extensions === null ? null : parseQueryHash(extensions);
  const id = sha256Hash ?? parseDocumentId(documentId);
  if (typeof query !== 'string' && (query !== null || id === null))
    throw errors.invalidBody('The member "query" must be a string that holds a GraphQL document.');
  // The message is the same as that of Apollo Server.
  if (query !== null && sha256Hash !== null && hashQuery(query) !== sha256Hash)
    throw errors.invalidBody('provided sha does not match query');
  if (query !== null && documentId !== null) throw errors.invalidBody('Send "query" or "documentId", not both.');
  return { query, variables, operationName, documentId: id, isPersistedQuery: sha256Hash !== null } as RequestParams;
}

/** Returns the id of a document as GraphQL over HTTP defines it, without the prefix `sha256:`. */
function parseDocumentId(documentId: unknown): string | null {
  if (documentId === null) return null;
  if (typeof documentId !== 'string' || documentId === '')
    throw errors.invalidBody('The member "documentId" must be a string with the id of a document.');
  return documentId.startsWith('sha256:') ? documentId.slice('sha256:'.length) : documentId;
}

function parseQueryHash({ persistedQuery = null }: Record<string, unknown>): string | null {
  if (persistedQuery === null) return null;
  if (!isJsonObject(persistedQuery))
    throw errors.invalidBody('The member "extensions.persistedQuery" must be an object, null or absent.');
  const { version, sha256Hash } = persistedQuery;
  // The message begins like that of Apollo Server.
  if (version !== 1) throw errors.invalidBody('Unsupported persisted query version: send version 1.');
  if (typeof sha256Hash !== 'string')
    throw errors.invalidBody('The member "extensions.persistedQuery.sha256Hash" must be a string.');
  return sha256Hash;
}

/** Requests share the decoder, because creating a decoder costs more than decoding. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    throw errors.invalidJson();
  }
}

/** Returns the client's headers of these names. Returns undefined if there are no names. */
export const pickHeaders = ({ headers }: IncomingMessage, names: readonly string[]) =>
  names.length === 0
    ? undefined
    : Object.fromEntries(names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])));

/** One request to /graphql or /documents/ with its response, and the facts that the gateway knows so far. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly isDocument: boolean;
  /** The start of the request, in milliseconds of `performance.now()`. */
  readonly startedAt: number;
  headers: HeaderList;
  /** The id of the API key. Undefined before admission. */
  keyId: string | undefined;
  /** The restricted translations that the key may read, separated by blanks. Empty before admission. */
  rights: string;
  /** The address as the rate limiter counts it: IPv4, or an IPv6 /64 network. Empty before admission. */
  clientAddress: string;
  /** Whether the key may send trusted documents only. False before admission. */
  trustedDocumentsOnly: boolean;
  /** The state of the address's limit. Null before admission. */
  address: LimitState | null;
  /** The state of the key's limit of requests in a minute. Null before admission. */
  keyRate: LimitState | null;
  /** The state of the key's limit of requests in a day. Null before admission, and if `keyRate` is exhausted. */
  quota: LimitState | null;
}
