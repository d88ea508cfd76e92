/** What a code promises: the page docs/errors.md repeats this table, and a test holds it to it. */
export interface ErrorDefinition {
  readonly code: string;
  /** HTTP status where the whole request is refused with it; null where it only ever stands in a GraphQL answer. */
  readonly status: number | null;
  readonly meaning: string;
}

/** An error of the catalogue. graphql-js carries `extensions` into the answer; anything without a code from here is masked. */
export interface CatalogueError extends Error {
  readonly extensions: { readonly code: string } & Readonly<Record<string, unknown>>;
}

type Maker<Args extends unknown[]> = ErrorDefinition & ((...args: Args) => CatalogueError);

/** What a client sent stands in messages, and one long value in the messages of a hundred fields. */
const mostQuotedCharacters = 300;

const shortened = (text: string): string =>
  text.length > mostQuotedCharacters ? `${text.slice(0, mostQuotedCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

function define<Args extends unknown[]>(
  definition: ErrorDefinition,
  message: (...args: Args) => string,
  more: (...args: Args) => Record<string, unknown> = () => ({}),
): Maker<Args> {
  const make = (...args: Args): CatalogueError =>
    Object.assign(
      new Error(message(...(args.map((arg) => (typeof arg === 'string' ? shortened(arg) : arg)) as Args))),
      { name: 'CatalogueError', extensions: { code: definition.code, ...more(...args) } },
    );
  return Object.assign(make, definition);
}

const family = (code: string, status: number | null, meaning: string): ErrorDefinition => ({ code, status, meaning });

const unauthenticated = family(
  'UNAUTHENTICATED',
  401,
  'The API key is missing, malformed, unknown, revoked, or of the other environment.',
);
const badRequest = family(
  'BAD_REQUEST',
  400,
  'The HTTP request is not a GraphQL request: its body is not JSON of the right shape, or it is a batch.',
);
const subgraphUnavailable = family(
  'SUBGRAPH_UNAVAILABLE',
  null,
  'A part of the graph does not answer now; its fields are null and the rest of the answer is good. Ask again later.',
);
const badUserInput = family(
  'BAD_USER_INPUT',
  400,
  'An argument or a variable has a value that the field does not take. 400 only for variables, and only where the new media type is preferred.',
);
const tooLongToRead = family(
  'QUERY_TOO_LONG',
  400,
  'The document has more tokens than are read, or a name that is longer.',
);
const notFound = family(
  'NOT_FOUND',
  null,
  'What was asked for does not exist: a translation, a book, a verse, or a reference nobody can read.',
);
const validation = family(
  'GRAPHQL_VALIDATION_FAILED',
  400,
  'The document does not fit the schema, or a value has the wrong form.',
);

/** Every error that a client can see, by name. Throw them by name; what they say is part of the interface. */
export const errors = {
  unauthenticated: define(unauthenticated, () => 'Invalid or missing API key'),
  wrongEnvironment: define(unauthenticated, () => 'API key not valid for this environment'),
  keysUnavailable: define(
    family(
      'KEYS_UNAVAILABLE',
      503,
      'API keys cannot be checked now, so nobody is let in. The answer says in Retry-After when to ask again.',
    ),
    () => 'API keys cannot be checked at the moment. Please try again later.',
    () => ({ retryAfter: 2 }),
  ),
  rateLimited: define(
    family(
      'RATE_LIMITED',
      429,
      'An address has made its requests of this minute, or a key its requests of this day (UTC). `retryAfter` and the header Retry-After say how many seconds to wait.',
    ),
    (seconds: number) => `Rate limit exceeded. Retry after ${seconds} seconds.`,
    (seconds: number) => ({ retryAfter: seconds }),
  ),
  unknownPath: define(
    family('UNKNOWN_PATH', 404, 'The server has nothing at that path.'),
    () => 'Nothing is served here. The API is POST /graphql.',
  ),
  methodNotAllowed: define(
    family('METHOD_NOT_ALLOWED', 405, 'The path takes another method.'),
    () => 'Send GraphQL requests with POST.',
  ),
  notAcceptable: define(
    family('NOT_ACCEPTABLE', 406, 'The Accept header excludes every media type that the API answers in.'),
    () => 'Accept must allow application/json or application/graphql-response+json.',
  ),
  bodyTooLarge: define(
    family('PAYLOAD_TOO_LARGE', 413, 'The body of the request is larger than the server reads.'),
    (bytes: number) => `The request body may have at most ${bytes} bytes.`,
  ),
  unsupportedMediaType: define(
    family('UNSUPPORTED_MEDIA_TYPE', 415, 'The body is not declared as JSON in UTF-8, or it is compressed.'),
    () => 'Send the body as Content-Type: application/json, in UTF-8 and uncompressed.',
  ),
  headersTooLarge: define(
    family('HEADERS_TOO_LARGE', 431, 'The header section of the request is larger than the server reads.'),
    () => 'The request headers are too large.',
  ),
  malformedHttp: define(badRequest, () => 'The request is not well-formed HTTP.'),
  requestTimeout: define(
    family('REQUEST_TIMEOUT', 408, 'The request did not arrive whole in time.'),
    () => 'The request took too long to arrive.',
  ),
  invalidJson: define(badRequest, () => 'The request body is not valid JSON in UTF-8.'),
  invalidBody: define(badRequest, (what: string) => what),

  parseFailed: define(family('GRAPHQL_PARSE_FAILED', 400, 'The document is not GraphQL.'), (why: string) => why),
  validationFailed: define(validation, (why: string) => why),
  tooManyValidationErrors: define(
    validation,
    () => 'The document has more errors, or repeats its fields more often, than is checked.',
  ),
  operationUnresolved: define(
    family('OPERATION_RESOLUTION_FAILURE', 400, 'The request does not say which operation of the document to run.'),
    (why: string) => why,
  ),
  tooDeep: define(
    family('QUERY_TOO_DEEP', 400, 'The selection is nested deeper than is allowed.'),
    (depth: number, most: number) => `Query has depth of ${depth}, which exceeds max depth of ${most}`,
  ),
  tooComplex: define(
    family(
      'QUERY_TOO_COMPLEX',
      400,
      'The operation costs more than one request may. The schema says what makes a field dear.',
    ),
    (cost: number, most: number) =>
      `Query has complexity of ${Math.min(cost, Number.MAX_SAFE_INTEGER)}, which exceeds max complexity of ${most}`,
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
    family('INTERNAL_SERVER_ERROR', 500, 'A fault of ours. The answer carries a requestId to quote when reporting it.'),
    () => 'Internal server error',
  ),
} as const;

/** One row a code, in the order of the catalogue. */
export const errorCodes: readonly ErrorDefinition[] = [
  ...new Map(
    Object.values(errors).map((e) => [e.code, { code: e.code, status: e.status, meaning: e.meaning }]),
  ).values(),
];

const known = new Set(errorCodes.map((definition) => definition.code));

/** Whether a value found in `extensions.code` is one that clients may see. */
export const isErrorCode = (code: unknown): code is string => typeof code === 'string' && known.has(code);

/** The status for an error that refuses a whole HTTP request. Codes that live only inside answers have none: 200. */
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
