import { ResponseError } from './errors.js';
import { type Endpoint, type ExecutionResult, send, startDeadline } from './request.js';

export interface ClientOptions {
  /** The URL of the endpoint, such as `https://host/graphql`. In a browser, the URL may be relative to the page. */
  readonly url: string;
  /** The API key. Leave the key out if your own server adds it to the requests. */
  readonly key?: string;
  /** The time that one call may take, in milliseconds, including retries and pauses. Default: 30,000. */
  readonly deadlineMs?: number;
  /** The maximum number of retries after status 429, status 503 or a broken connection. Default: 3. */
  readonly maxRetries?: number;
  /** Whether to send the hash of a long query instead of its text (automatic persisted queries). Default: true. */
  readonly persistedQueries?: boolean;
  /** Replaces the global `fetch`, for instance to add headers. */
  readonly fetch?: typeof fetch;
  /** `print` of the package `graphql`, needed for documents that are syntax trees without source text. */
  readonly print?: PrintDocument;
}

export interface RequestOptions {
  /** Cancels the call, even during a pause. The call then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** The deadline of this call in milliseconds. It replaces the client's `deadlineMs`. */
  readonly deadlineMs?: number;
  /** The name of the operation to execute, if the document has several operations. */
  readonly operationName?: string;
}

/** The arguments of a call after the document. The variables may be left out if none is required. */
export type Arguments<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

export interface LecternClient {
  /**
   * Executes an operation and resolves with its data. Rejects with a `ResponseError`, which has the other fields as
   * `data`, if a field failed. Rejects with another `LecternError` if there is no valid response.
   */
  query<Result, Variables>(document: TypedDocument<Result, Variables>, ...args: Arguments<Variables>): Promise<Result>;
  query(document: string, variables?: Record<string, unknown>, options?: RequestOptions): Promise<unknown>;
  /** Executes an operation. Resolves with `data` and the errors of fields. Rejects if the whole request failed. */
  execute<Result, Variables>(
    document: TypedDocument<Result, Variables>,
    ...args: Arguments<Variables>
  ): Promise<ExecutionResult<Result>>;
  execute(
    document: string,
    variables?: Record<string, unknown>,
    options?: RequestOptions,
  ): Promise<ExecutionResult<unknown>>;
}

/** Queries of this length or more are sent as their hash, which would not be shorter than a shorter query. */
const minHashedCharacters = 130;

/** Creates a client. Throws a `TypeError` if `url` or `key` is invalid. */
export function createLecternClient(options: ClientOptions): LecternClient {
  const endpoint = createEndpoint(options);
  let sendsHashes = options.persistedQueries ?? true;

  async function execute(
    document: unknown,
    variables?: unknown,
    { signal, deadlineMs = options.deadlineMs ?? 30_000, operationName }: RequestOptions = {},
  ): Promise<ExecutionResult<unknown>> {
    const query = textOf(document, options.print);
    const request = { variables, operationName: operationName ?? operationNameOf(query) };
    const deadline = startDeadline(deadlineMs, signal);
    try {
      const sha256Hash = sendsHashes && query.length > minHashedCharacters ? await hashOf(query) : null;
      if (sha256Hash === null) return await send(endpoint, { ...request, query }, deadline);
      const hashed = { ...request, extensions: { persistedQuery: { version: 1, sha256Hash } } };
      try {
        return await send(endpoint, hashed, deadline);
      } catch (error) {
        const code = error instanceof ResponseError && error.code;
        if (code === 'PERSISTED_QUERY_NOT_FOUND') return await send(endpoint, { ...hashed, query }, deadline);
        if (code !== 'PERSISTED_QUERY_NOT_SUPPORTED') throw error;
        sendsHashes = false;
        return await send(endpoint, { ...request, query }, deadline);
      }
    } finally {
      deadline.end();
    }
  }

  async function query(document: unknown, variables?: unknown, requestOptions?: RequestOptions): Promise<unknown> {
    const { data, errors, requestId } = await execute(document, variables, requestOptions);
    if (errors.length > 0) throw new ResponseError(errors, data, { requestId, status: 200 });
    return data;
  }

  return { query, execute } as LecternClient;
}

function createEndpoint({ url, key, maxRetries = 3, fetch = globalThis.fetch }: ClientOptions): Endpoint {
  const { href, protocol, username, password } = parseUrl(url);
  if (!/^https?:$/.test(protocol)) throw new TypeError('`url` must begin with http:// or https://.');
  // `fetch` would reject a URL with a password, and its error message would contain the password.
  if (username !== '' || password !== '')
    throw new TypeError('`url` must have no user and no password. The API key belongs into `key`.');
  // The error message does not contain the key, because error messages are often logged.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key))
    throw new TypeError('`key` must be an API key: visible ASCII characters without spaces.');
  return {
    url: href,
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
    // In browsers, `fetch` throws if it is called as a method of an object other than the window.
    fetch: (...args) => fetch(...args),
    maxRetries,
  };
}

function parseUrl(url: string): URL {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  try {
    return new URL(url, page);
  } catch {
    throw new TypeError(
      `\`url\` must be the address of the endpoint, such as https://example.org/graphql, not ${url}.`,
    );
  }
}

/** A document with the types of its result and variables, such as those of GraphQL Code Generator and gql.tada. */
export interface TypedDocument<Result, Variables> {
  /** Never has a value. TypeScript infers the types of the result and the variables from this property. */
  __apiType?: (variables: Variables) => Result;
}

/** Converts the syntax tree of a document to text, like `print` of the package `graphql`. */
export type PrintDocument = (document: never) => string;

export interface DocumentText<Result, Variables> extends TypedDocument<Result, Variables> {
  toString(): string;
}

/** Returns the text of a document unchanged, with the types of its result and variables. */
export const documentText = <Result, Variables>(text: string): DocumentText<Result, Variables> => text as never;

/** Throws a `TypeError` for a syntax tree without source text, if there is no `print`. */
function textOf(document: unknown, print: PrintDocument | undefined): string {
  const isTree = typeof document === 'object' && document !== null && 'kind' in document;
  if (!isTree) return String(document);
  if (print) return print(document as never);
  const { loc } = document as { loc?: { source?: { body?: string } } };
  if (loc?.source?.body === undefined)
    throw new TypeError('This document is a syntax tree. Give createLecternClient the option `print` of graphql.');
  return loc.source.body;
}

const operationNameOf = (text: string): string | undefined => /^\s*(?:query|mutation)\s+([_A-Za-z]\w*)/.exec(text)?.[1];

/** Returns null where Web Crypto is missing: on pages without TLS and in Node.js 18. */
async function hashOf(text: string): Promise<string | null> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return null;
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
