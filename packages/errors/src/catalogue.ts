/** The definition of a code of the catalogue. docs/errors.md lists all codes. */
export interface ErrorDefinition {
  readonly code: string;
  /**
   * The HTTP status of a request that is rejected with this code. Null for a code that appears only
   * in GraphQL responses.
   */
  readonly status: number | null;
  readonly meaning: string;
}

/**
 * An error of the catalogue. graphql-js copies `extensions` into the response. Errors without a
 * known code are masked.
 */
export interface CatalogueError extends Error {
  readonly extensions: { readonly code: string } & Readonly<Record<string, unknown>>;
}

type CreateError<Args extends unknown[]> = ErrorDefinition & ((...args: Args) => CatalogueError);

/**
 * The maximum length of a client's value that a message quotes. A long value could appear in the
 * messages of a hundred fields.
 */
const maxQuotedCharacters = 300;

const shorten = (text: string): string =>
  text.length > maxQuotedCharacters ? `${text.slice(0, maxQuotedCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

function define<Args extends unknown[]>(
  definition: ErrorDefinition,
  message: (...args: Args) => string,
  more: (...args: Args) => Record<string, unknown> = () => ({}),
): CreateError<Args> {
  const create = (...args: Args): CatalogueError =>
    Object.assign(new Error(message(...(args.map((arg) => (typeof arg === 'string' ? shorten(arg) : arg)) as Args))), {
      name: 'CatalogueError',
      extensions: { code: definition.code, ...more(...args) },
    });
  return Object.assign(create, definition);
}

const defineCode = (code: string, status: number | null, meaning: string): ErrorDefinition => ({
  code,
  status,
  meaning,
});

const unauthenticated = defineCode(
  'UNAUTHENTICATED',
  401,
  'The API key is missing, malformed, unknown, revoked, or of the other environment.',
);
const badRequest = defineCode(
  'BAD_REQUEST',
  400,
  'The HTTP request is not a GraphQL request: its body is not JSON of the right shape, or it is a batch.',
);
const subgraphUnavailable = defineCode(
  'SUBGRAPH_UNAVAILABLE',
  null,
  'A part of the graph is unavailable. Its fields are null, and the rest of the response is valid. Retry later.',
);
const badUserInput = defineCode(
  'BAD_USER_INPUT',
  400,
  'An argument or a variable has a value that the field does not accept. The status is 400 only for variables, and only under application/graphql-response+json.',
);
const tooLongToRead = defineCode(
  'QUERY_TOO_LONG',
  400,
  'The document has too many tokens, or a name that is too long.',
);
const tooComplex = defineCode(
  'QUERY_TOO_COMPLEX',
  400,
  'The operation costs too much for one request, or has too many fields after its fragments are expanded. The schema says what makes a field expensive.',
);
const notFound = defineCode(
  'NOT_FOUND',
  null,
  'A translation, a book or a verse does not exist, or a reference cannot be parsed.',
);
const validation = defineCode(
  'GRAPHQL_VALIDATION_FAILED',
  400,
  'The document does not fit the schema, or a value has the wrong form.',
);

/** Doubled fragments exceed the range of whole numbers. */
const capped = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);

/**
 * The functions that create every error that a client can see, by name. The messages are part of
 * the API.
 */
export const errors = {
  unauthenticated: define(unauthenticated, () => 'Invalid or missing API key'),
  wrongEnvironment: define(unauthenticated, () => 'API key not valid for this environment'),
  keysUnavailable: define(
    defineCode(
      'KEYS_UNAVAILABLE',
      503,
      'API keys cannot be checked now, so every request is rejected. The header Retry-After says when to retry.',
    ),
    () => 'API keys cannot be checked at the moment. Please try again later.',
    () => ({ retryAfter: 2 }),
  ),
  rateLimited: define(
    defineCode(
      'RATE_LIMITED',
      429,
      'An address has no requests left in this minute, or a key in this minute or this day (UTC). `limit` names the limit as the header RateLimit-Policy does: `address`, `key-minute` or `key`. `retryAfter` and the header Retry-After say how many seconds to wait.',
    ),
    (seconds: number, _limit: string) => `Rate limit exceeded. Retry after ${seconds} seconds.`,
    (seconds: number, limit: string) => ({ retryAfter: seconds, limit }),
  ),
  unknownPath: define(
    defineCode('UNKNOWN_PATH', 404, 'Nothing is served at the path.'),
    () => 'Nothing is served here. The API is POST /graphql.',
  ),
  methodNotAllowed: define(
    defineCode('METHOD_NOT_ALLOWED', 405, 'The path requires another method.'),
    () => 'Send GraphQL requests with POST.',
  ),
  notAcceptable: define(
    defineCode('NOT_ACCEPTABLE', 406, 'The Accept header excludes every media type of the API.'),
    () => 'Accept must allow application/json or application/graphql-response+json.',
  ),
  bodyTooLarge: define(
    defineCode('PAYLOAD_TOO_LARGE', 413, 'The body of the request is too large.'),
    (bytes: number) => `The request body may have at most ${bytes} bytes.`,
  ),
  unsupportedMediaType: define(
    defineCode('UNSUPPORTED_MEDIA_TYPE', 415, 'The body is not declared as JSON in UTF-8, or it is compressed.'),
    () => 'Send the body as Content-Type: application/json, in UTF-8 and uncompressed.',
  ),
  headersTooLarge: define(
    defineCode('HEADERS_TOO_LARGE', 431, 'The headers of the request are too large.'),
    () => 'The request headers are too large.',
  ),
  malformedHttp: define(badRequest, () => 'The request is not well-formed HTTP.'),
  requestTimeout: define(
    defineCode('REQUEST_TIMEOUT', 408, 'The request did not arrive completely in time.'),
    () => 'The request took too long to arrive.',
  ),
  invalidJson: define(badRequest, () => 'The request body is not valid JSON in UTF-8.'),
  invalidBody: define(badRequest, (what: string) => what),

  parseFailed: define(defineCode('GRAPHQL_PARSE_FAILED', 400, 'The document is not GraphQL.'), (why: string) => why),
  validationFailed: define(validation, (why: string) => why),
  tooManyValidationErrors: define(
    validation,
    () => 'The document has more errors, or repeats its fields more often, than is checked.',
  ),
  operationUnresolved: define(
    defineCode(
      'OPERATION_RESOLUTION_FAILURE',
      400,
      'The request does not say which operation of the document to execute.',
    ),
    (why: string) => why,
  ),
  tooDeep: define(
    defineCode('QUERY_TOO_DEEP', 400, 'The selection is nested too deeply.'),
    (depth: number, most: number) => `Query has depth of ${depth}, which exceeds max depth of ${most}`,
  ),
  tooComplex: define(
    tooComplex,
    (cost: number, most: number) => `Query has complexity of ${capped(cost)}, which exceeds max complexity of ${most}`,
  ),
  tooManyFields: define(
    tooComplex,
    (fields: number, most: number) =>
      `Query has ${capped(fields)} fields and conditions after its fragments are expanded, which exceeds max ${most}. Send several smaller queries.`,
  ),
  tooManySelections: define(
    tooComplex,
    (selections: number, most: number) =>
      `Query has ${capped(selections)} selections after its fragments are expanded, which exceeds max ${most}. Spread fragments less often.`,
  ),
  tooManyTokens: define(tooLongToRead, (most: number) => `Query has more than ${most} tokens`),
  tooLongName: define(tooLongToRead, (most: number) => `Query has a name of more than ${most} characters`),

  badUserInput: define(badUserInput, (why: string) => why),
  blank: define(badUserInput, (name: string) => `${name} must not be blank`),
  tooLong: define(badUserInput, (name: string, most: number) => `${name} must be ${most} characters or fewer`),
  invalidCursor: define(badUserInput, () => 'Invalid cursor'),
  similarBudgetSpent: define(
    badUserInput,
    (most: number) => `One request asks similar verses of at most ${most} verses; ask for less at once`,
  ),
  verseBudgetSpent: define(
    badUserInput,
    (most: number) => `One request holds at most ${most} verses over all its fields; ask for less at once`,
  ),
  valueBudgetSpent: define(
    badUserInput,
    (most: number) =>
      `One request gives at most ${most} values of verses, chapters and words; ask for fewer fields, or less at once`,
  ),
  tooManyErrors: define(
    badUserInput,
    (most: number) => `More than ${most} fields of one request fail; ask for less at once, and for what there is`,
  ),
  tooManyValues: define(
    badUserInput,
    (most: number) => `One response of a subgraph has at most ${most} values; ask for fewer fields, or less at once`,
  ),
  tooManyEntities: define(
    badUserInput,
    (most: number) => `One request of a gateway has at most ${most} representations; ask for less at once`,
  ),
  requestTooExpensive: define(
    defineCode(
      'REQUEST_TOO_EXPENSIVE',
      null,
      'The request needs more computing time than one request may have. The fields that were not ready are null, and the rest of the response is valid. Do not retry: send fewer fields, or shorter arguments.',
    ),
    (ms: number) => `The request needs more than ${ms} ms of computing time; ask for fewer fields, or less at once`,
  ),
  testamentUnknown: define(validation, () => "Testament must be 'OT' or 'NT'"),

  translationNotFound: define(notFound, (identifier: string) => `Translation '${identifier}' not found`),
  bookNotFound: define(notFound, (book: string) => `Book '${book}' not found`),
  verseNotFound: define(notFound, (verse: string) => `Verse '${verse}' not found`),
  invalidReference: define(notFound, (message: string) => message),
  strongsNotFound: define(notFound, (number: string) => `Strong's number '${number}' not found`),
  noVerses: define(notFound, () => 'No verses found for the given filters'),

  subgraphUnavailable: define(
    subgraphUnavailable,
    () => 'This part of the graph is temporarily unavailable. Please try again later.',
  ),
  embeddingUnavailable: define(
    subgraphUnavailable,
    () => 'Embedding service is temporarily unavailable. Please try again later.',
  ),
  internal: define(
    defineCode(
      'INTERNAL_SERVER_ERROR',
      500,
      'An error of the service. Quote the `requestId` of the response when you report it.',
    ),
    () => 'Internal server error',
  ),
} as const;

/** The definition of each code once, in the order of the catalogue. */
export const errorCodes: readonly ErrorDefinition[] = [
  ...new Map(
    Object.values(errors).map((e) => [e.code, { code: e.code, status: e.status, meaning: e.meaning }]),
  ).values(),
];

const known = new Set(errorCodes.map((definition) => definition.code));

/**
 * Returns whether a value of `extensions.code` is a code of the catalogue, which clients may see.
 */
export const isErrorCode = (code: unknown): code is string => typeof code === 'string' && known.has(code);

/**
 * Returns the HTTP status of a request that is rejected with this code. Returns 200 for codes that
 * appear only in GraphQL responses.
 */
export const httpStatus = (code: string): number =>
  errorCodes.find((definition) => definition.code === code)?.status ?? 200;

export function isCatalogueError(error: unknown): error is CatalogueError {
  return (
    error instanceof Error &&
    'extensions' in error &&
    typeof error.extensions === 'object' &&
    error.extensions !== null &&
    'code' in error.extensions &&
    isErrorCode(error.extensions.code)
  );
}
