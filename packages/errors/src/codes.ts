/**
 * The definition of a code in `extensions.code`. docs/errors.md and docs/clients.md list all codes.
 */
export interface ErrorDefinition {
  readonly code: string;
  /**
   * The HTTP status of a request rejected with this code. Null for a code that appears only in
   * GraphQL responses.
   */
  readonly status: number | null;
  readonly meaning: string;
  /**
   * Whether it helps to send the same request again: a sentence that begins with Yes, Once or No.
   */
  readonly retry: string;
  /** The change that the client's developer has to make, in sentences. */
  readonly change: string;
}

const retryAfterHeader = 'Yes, after `Retry-After` seconds.';

/** Every code that a client can see, by name. docs/errors.md has the same order. */
export const codes = {
  unauthenticated: {
    code: 'UNAUTHENTICATED',
    status: 401,
    meaning: 'The API key is missing, malformed, unknown, revoked, or of the other environment.',
    retry: 'No.',
    change:
      'Send the header `Authorization: Bearer` with a valid key of this environment. `svc_live_` keys are for production, `svc_test_` keys for development and test.',
  },
  keysUnavailable: {
    code: 'KEYS_UNAVAILABLE',
    status: 503,
    meaning: 'API keys cannot be checked now, so every request is rejected. The header Retry-After says when to retry.',
    retry: retryAfterHeader,
    change: 'Nothing.',
  },
  supergraphUnavailable: {
    code: 'SUPERGRAPH_UNAVAILABLE',
    status: 503,
    meaning:
      'The gateway has been started, but has not received its schema yet, so every operation is rejected. The header Retry-After says when to retry.',
    retry: retryAfterHeader,
    change: 'Nothing.',
  },
  rateLimited: {
    code: 'RATE_LIMITED',
    status: 429,
    meaning:
      'An address has no requests left in this minute, or a key in this minute or this day (UTC). `limit` names the limit as the header RateLimit-Policy does: `address`, `key-minute` or `key`. Or an operation waited 5 seconds because other operations of its key were in flight; then `limit` is `key-in-flight`. `retryAfter` and the header Retry-After say how many seconds to wait.',
    retry: retryAfterHeader,
    change:
      'Spread the requests over time, or ask for several fields in one request. `extensions.limit` names the limit.',
  },
  unknownPath: {
    code: 'UNKNOWN_PATH',
    status: 404,
    meaning: 'Nothing is served at the path.',
    retry: 'No.',
    change: 'Send the request to `/graphql`.',
  },
  methodNotAllowed: {
    code: 'METHOD_NOT_ALLOWED',
    status: 405,
    meaning: 'The path requires another method.',
    retry: 'No.',
    change: 'Send GraphQL requests with POST.',
  },
  notAcceptable: {
    code: 'NOT_ACCEPTABLE',
    status: 406,
    meaning: 'The Accept header excludes every media type of the API.',
    retry: 'No.',
    change: 'Let `Accept` allow `application/json` or `application/graphql-response+json`.',
  },
  bodyTooLarge: {
    code: 'PAYLOAD_TOO_LARGE',
    status: 413,
    meaning: 'The body of the request is too large.',
    retry: 'No.',
    change: 'Send a shorter document, or split the request.',
  },
  unsupportedMediaType: {
    code: 'UNSUPPORTED_MEDIA_TYPE',
    status: 415,
    meaning: 'The body is not declared as JSON in UTF-8, or it is compressed.',
    retry: 'No.',
    change: 'Send `Content-Type: application/json` and an uncompressed body.',
  },
  headersTooLarge: {
    code: 'HEADERS_TOO_LARGE',
    status: 431,
    meaning: 'The headers of the request are too large.',
    retry: 'No.',
    change: 'Send fewer or shorter headers.',
  },
  badRequest: {
    code: 'BAD_REQUEST',
    status: 400,
    meaning: 'The HTTP request is not a GraphQL request: its body is not JSON of the right shape, or it is a batch.',
    retry: 'No.',
    change: 'Send one JSON object with `query`, as the message says.',
  },
  requestTimeout: {
    code: 'REQUEST_TIMEOUT',
    status: 408,
    meaning: 'The request did not arrive completely in time.',
    retry: 'Yes, on a better connection.',
    change: 'Nothing.',
  },
  persistedQueryNotFound: {
    code: 'PERSISTED_QUERY_NOT_FOUND',
    status: 200,
    meaning: 'The service does not know the hash of the persisted query for this key.',
    retry: 'No.',
    change: 'Send the query together with its hash once. Client libraries for persisted queries do so by themselves.',
  },
  persistedQueryNotSupported: {
    code: 'PERSISTED_QUERY_NOT_SUPPORTED',
    status: 200,
    meaning: 'The service does not store persisted queries.',
    retry: 'No.',
    change: 'Send the query without a hash. Client libraries for persisted queries do so by themselves.',
  },
  queryNotInSafelist: {
    code: 'QUERY_NOT_IN_SAFELIST',
    status: 403,
    meaning:
      'The key, or every key of the service, may send trusted documents only, and the document is not one of them.',
    retry: 'No.',
    change:
      'Send a document of the manifest, by its id or with exactly its text, or ask the operator to publish a manifest with this document.',
  },
  parseFailed: {
    code: 'GRAPHQL_PARSE_FAILED',
    status: 400,
    meaning: 'The document is not GraphQL.',
    retry: 'No.',
    change: 'Correct the syntax at `locations`.',
  },
  validationFailed: {
    code: 'GRAPHQL_VALIDATION_FAILED',
    status: 400,
    meaning: 'The document does not fit the schema, or a value has the wrong form.',
    retry: 'No.',
    change: 'Correct the fields, arguments and types at `locations`. `/reference` shows the schema.',
  },
  operationUnresolved: {
    code: 'OPERATION_RESOLUTION_FAILURE',
    status: 400,
    meaning: 'The request does not say which operation of the document to execute.',
    retry: 'No.',
    change: 'Send the `operationName` of one operation of the document.',
  },
  tooDeep: {
    code: 'QUERY_TOO_DEEP',
    status: 400,
    meaning: 'The selection is nested too deeply.',
    retry: 'No.',
    change: 'Nest less, or split the operation.',
  },
  tooComplex: {
    code: 'QUERY_TOO_COMPLEX',
    status: 400,
    meaning:
      'The operation costs too much for one request, or has too many fields after its fragments are expanded. The schema says what makes a field expensive.',
    retry: 'No.',
    change: 'Ask for fewer fields or smaller pages. `Lectern-Report: cost` reports the cost of an operation.',
  },
  tooLongToRead: {
    code: 'QUERY_TOO_LONG',
    status: 400,
    meaning: 'The document has too many tokens, spreads too many fragments, or has a name that is too long.',
    retry: 'No.',
    change: 'Send a shorter document with fewer fragments and shorter names. Send values as variables.',
  },
  badUserInput: {
    code: 'BAD_USER_INPUT',
    status: 400,
    meaning:
      'An argument or a variable has a value that the field does not accept. The status is 400 only for variables, and only under application/graphql-response+json.',
    retry: 'No.',
    change: 'Correct the value as the message says.',
  },
  requestTooExpensive: {
    code: 'REQUEST_TOO_EXPENSIVE',
    status: null,
    meaning:
      'The request needs more computing time than one request may have. The fields that were not ready are null, and the rest of the response is valid. Do not retry: send fewer fields, or shorter arguments.',
    retry: 'No.',
    change: 'Ask for the fields that are null in a request of their own, or for less.',
  },
  notFound: {
    code: 'NOT_FOUND',
    status: null,
    meaning: 'A translation, a book or a verse does not exist, or a reference cannot be parsed.',
    retry: 'No.',
    change: 'Correct the identifier, name or reference that the message quotes.',
  },
  subgraphUnavailable: {
    code: 'SUBGRAPH_UNAVAILABLE',
    status: null,
    meaning:
      'A part of the graph is unavailable. Its fields are null, and the rest of the response is valid. Retry later.',
    retry: 'Yes, after a second, for the fields that are null. Double the pause each time.',
    change: 'Nothing.',
  },
  internal: {
    code: 'INTERNAL_SERVER_ERROR',
    status: 500,
    meaning: 'An error of the service. Quote the `requestId` of the response when you report it.',
    retry: 'Once.',
    change: 'Nothing. If the error stays, report its `requestId`.',
  },
} as const satisfies Record<string, ErrorDefinition>;

/** The definition of each code, in the order of the documentation. */
export const errorCodes: readonly ErrorDefinition[] = Object.values(codes);
