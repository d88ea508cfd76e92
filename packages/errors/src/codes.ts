/** An error code, which clients see in `extensions.code`. docs/errors.md lists all codes. */
export interface ErrorDefinition {
  readonly code: string;
  /** The HTTP status of a request that is rejected with this code. Null if it occurs only in GraphQL responses. */
  readonly status: number | null;
  readonly meaning: string;
  /** Whether sending the same request again helps. The text begins with Yes, Once or No. */
  readonly retry: string;
  /** What the developer of the client has to change, in sentences. */
  readonly change: string;
}

const define = (
  code: string,
  status: number | null,
  { meaning, retry = 'No.', change = 'Nothing.' }: { meaning: string; retry?: string; change?: string },
): ErrorDefinition => ({ code, status, meaning, retry, change });

const retryAfterHeader = 'Yes, after `Retry-After` seconds.';

/** Every code that a client can see, by name. docs/errors.md has the same order. */
export const codes = {
  unauthenticated: define('UNAUTHENTICATED', 401, {
    meaning: 'The API key is missing, malformed, unknown, revoked, or of the other environment.',
    change:
      'Send the header `Authorization: Bearer` with a valid key of this environment. `svc_live_` keys are for production, `svc_test_` keys for development and test.',
  }),
  keysUnavailable: define('KEYS_UNAVAILABLE', 503, {
    meaning: 'API keys cannot be checked now, so every request is rejected. The header Retry-After says when to retry.',
    retry: retryAfterHeader,
  }),
  supergraphUnavailable: define('SUPERGRAPH_UNAVAILABLE', 503, {
    meaning:
      'The gateway has been started, but has not received its schema yet, so every operation is rejected. The header Retry-After says when to retry.',
    retry: retryAfterHeader,
  }),
  rateLimited: define('RATE_LIMITED', 429, {
    meaning:
      'An address has no requests left in this minute, or a key in this minute or day (UTC). `limit` names the limit as the header RateLimit-Policy does: `address`, `key-minute` or `key`. `key-in-flight` means that an operation waited 5 seconds for other operations of its key. `retryAfter` and the header Retry-After have the seconds to wait.',
    retry: retryAfterHeader,
    change:
      'Spread the requests over time, or ask for several fields in one request. `extensions.limit` names the limit.',
  }),
  unknownPath: define('UNKNOWN_PATH', 404, {
    meaning: 'Nothing is served at the path.',
    change: 'Send the request to `/graphql`.',
  }),
  methodNotAllowed: define('METHOD_NOT_ALLOWED', 405, {
    meaning: 'The path requires another method.',
    change: 'Send GraphQL requests with POST, and read `/documents/ID` with GET.',
  }),
  notAcceptable: define('NOT_ACCEPTABLE', 406, {
    meaning: 'The Accept header excludes every media type of the API.',
    change: 'Let `Accept` allow `application/json` or `application/graphql-response+json`.',
  }),
  bodyTooLarge: define('PAYLOAD_TOO_LARGE', 413, {
    meaning: 'The body of the request is too large.',
    change: 'Send a shorter document, or split the request.',
  }),
  targetTooLong: define('URI_TOO_LONG', 414, {
    meaning: 'The path and the query of a request for `/health` or `/ready` are too long.',
    change: 'Send the path alone, or `/ready?verbose`.',
  }),
  unsupportedMediaType: define('UNSUPPORTED_MEDIA_TYPE', 415, {
    meaning: 'The body is not declared as JSON in UTF-8, or it is compressed.',
    change: 'Send `Content-Type: application/json` and an uncompressed body.',
  }),
  headersTooLarge: define('HEADERS_TOO_LARGE', 431, {
    meaning: 'The address and the headers of the request are too large: at most 16 kB together.',
    change: 'Send fewer or shorter headers, and long variables in the body of `POST /graphql`.',
  }),
  badRequest: define('BAD_REQUEST', 400, {
    meaning: 'The HTTP request is not a GraphQL request: its body is not JSON of the right shape, or it is a batch.',
    change: 'Send one JSON object with `query`, as the message says.',
  }),
  requestTimeout: define('REQUEST_TIMEOUT', 408, {
    meaning: 'The request did not arrive completely in time.',
    retry: 'Yes, on a better connection.',
  }),
  persistedQueryNotFound: define('PERSISTED_QUERY_NOT_FOUND', 200, {
    meaning: 'The service does not know the hash of the persisted query for this key.',
    change: 'Send the query together with its hash once. Client libraries for persisted queries do so by themselves.',
  }),
  unknownDocumentId: define('DOCUMENT_NOT_FOUND', 404, {
    meaning:
      'The service knows no document with this `documentId`. The status is 200 for `POST /graphql` under application/json, else 404.',
    change: 'Send the document as `query`, or ask the operator to publish a manifest with this document.',
  }),
  persistedQueryNotSupported: define('PERSISTED_QUERY_NOT_SUPPORTED', 200, {
    meaning: 'The service does not store persisted queries.',
    change: 'Send the query without a hash. Client libraries for persisted queries do so by themselves.',
  }),
  queryNotInSafelist: define('QUERY_NOT_IN_SAFELIST', 403, {
    meaning:
      'The key, or every key of the service, may send trusted documents only, and the document is not one of them.',
    change:
      'Send a document of the manifest, by its id or with exactly its text, or ask the operator to publish a manifest with this document.',
  }),
  parseFailed: define('GRAPHQL_PARSE_FAILED', 400, {
    meaning: 'The document is not GraphQL.',
    change: 'Correct the syntax at `locations`.',
  }),
  validationFailed: define('GRAPHQL_VALIDATION_FAILED', 400, {
    meaning: 'The document does not fit the schema, or a value has the wrong form.',
    change: 'Correct the fields, arguments and types at `locations`. `/reference` shows the schema.',
  }),
  operationUnresolved: define('OPERATION_RESOLUTION_FAILURE', 400, {
    meaning: 'The request does not say which operation of the document to execute.',
    change: 'Send the `operationName` of one operation of the document.',
  }),
  tooDeep: define('QUERY_TOO_DEEP', 400, {
    meaning: 'The selection is nested too deeply.',
    change: 'Nest less, or split the operation.',
  }),
  tooComplex: define('QUERY_TOO_COMPLEX', 400, {
    meaning:
      'The operation costs too much for one request, or has too many fields after its fragments are expanded. The schema says what makes a field expensive.',
    change: 'Ask for fewer fields or smaller pages. `Lectern-Report: cost` reports the cost of an operation.',
  }),
  tooLongToRead: define('QUERY_TOO_LONG', 400, {
    meaning: 'The document has too many tokens, spreads too many fragments, or has a name that is too long.',
    change: 'Send a shorter document with fewer fragments and shorter names. Send values as variables.',
  }),
  badUserInput: define('BAD_USER_INPUT', 400, {
    meaning:
      'An argument or a variable has a value that the field does not accept. The status is 400 only for variables, and only under application/graphql-response+json.',
    change: 'Correct the value as the message says.',
  }),
  requestTooExpensive: define('REQUEST_TOO_EXPENSIVE', null, {
    meaning:
      'The request computed for longer than operations of its cost ever should. The fields that were not ready are null, and the rest of the response is valid.',
    change: 'Ask for the fields that are null in a request of their own, or for less at once.',
    retry: 'Once: results that other requests can use, such as sorted lists, are kept.',
  }),
  notFound: define('NOT_FOUND', null, {
    meaning: 'A translation, a book or a verse does not exist, or a reference cannot be parsed.',
    change: 'Correct the identifier, name or reference that the message quotes.',
  }),
  subgraphUnavailable: define('SUBGRAPH_UNAVAILABLE', null, {
    meaning:
      'A part of the graph is unavailable. Its fields are null, and the rest of the response is valid. Retry later.',
    retry: 'Yes, after a second, for the fields that are null. Double the pause each time.',
  }),
  internal: define('INTERNAL_SERVER_ERROR', 500, {
    meaning: 'An error of the service. Quote the `requestId` of the response when you report it.',
    retry: 'Once.',
    change: 'Nothing. If the error stays, report its `requestId`.',
  }),
};

/** All codes, in the order of the documentation. */
export const errorCodes: readonly ErrorDefinition[] = Object.values(codes);
