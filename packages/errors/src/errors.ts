import { codes, type ErrorDefinition, errorCodes } from './codes';

/** graphql-js sends `extensions`. An error whose code is not in codes.ts is replaced by "Internal server error". */
export interface PublicError extends Error {
  readonly extensions: { readonly code: string } & Readonly<Record<string, unknown>>;
}

type CreateError<Args extends unknown[]> = ErrorDefinition & ((...args: Args) => PublicError);

/** Characters that a message quotes of a client's value, which a hundred failing fields could repeat. */
const maxQuotedCharacters = 300;

/** Shortens a text, without cutting a surrogate pair in two. */
const shorten = (text: string): string =>
  text.length > maxQuotedCharacters ? `${text.slice(0, maxQuotedCharacters).replace(/[\uD800-\uDBFF]$/, '')}…` : text;

/** Creates an error without a stack trace: nobody reads the trace, and making it would take most of the time. */
function errorWithoutStack(message: string): Error {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new Error(message);
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}

function define<Args extends unknown[] = []>(
  definition: ErrorDefinition,
  message: string | ((...args: Args) => string),
  moreExtensions?: (...args: Args) => Record<string, unknown>,
): CreateError<Args> {
  const create = (...args: Args): PublicError => {
    const shortened = args.map((arg) => (typeof arg === 'string' ? shorten(arg) : arg)) as Args;
    return Object.assign(errorWithoutStack(typeof message === 'string' ? message : message(...shortened)), {
      name: 'PublicError',
      extensions: { code: definition.code, ...moreExtensions?.(...args) },
    });
  };
  return Object.assign(create, definition);
}

const given = (message: string): string => message;

/** Limits a count to safe integers. Fragments that spread each other twice double the count at every level. */
const capped = (count: number): number => Math.min(count, Number.MAX_SAFE_INTEGER);

/** The functions that create the errors, by name. Clients may rely on the messages. */
export const errors = {
  unauthenticated: define(
    codes.unauthenticated,
    'Invalid or missing API key',
    // The same for a missing, malformed, unknown or revoked key, so that nobody learns whether a key exists.
    () => ({
      hint: 'Send the key in exactly this header: "Authorization: Bearer <API_KEY>". Other headers, other schemes, query parameters and cookies are not read.',
    }),
  ),
  wrongEnvironment: define(codes.unauthenticated, 'API key not valid for this environment'),
  keysUnavailable: define(
    codes.keysUnavailable,
    'API keys cannot be checked at the moment. Please try again later.',
    () => ({ retryAfter: 2 }),
  ),
  supergraphUnavailable: define(
    codes.supergraphUnavailable,
    'The service has no schema at the moment. Please try again later.',
    () => ({ retryAfter: 2 }),
  ),
  rateLimited: define(
    codes.rateLimited,
    (seconds: number, _limit: string) => `Rate limit exceeded. Retry after ${seconds} seconds.`,
    (seconds: number, limit: string) => ({ retryAfter: seconds, limit }),
  ),
  tooManyInFlight: define(
    codes.rateLimited,
    'Too many operations of this API key are in flight. Send fewer operations at the same time, and retry after 1 second.',
    () => ({ retryAfter: 1, limit: 'key-in-flight' }),
  ),
  unknownPath: define(codes.unknownPath, 'Nothing is served here. The API is POST /graphql.'),
  methodNotAllowed: define(
    codes.methodNotAllowed,
    'Send GraphQL requests with POST. If your client library sends queries with GET, turn that off; in urql, set preferGetMethod: false.',
  ),
  documentMethodNotAllowed: define(
    codes.methodNotAllowed,
    'Read a document with GET or HEAD, or send its id as "documentId" by POST /graphql.',
  ),
  notAcceptable: define(
    codes.notAcceptable,
    'Accept must allow application/json or application/graphql-response+json.',
  ),
  bodyTooLarge: define(codes.bodyTooLarge, (bytes: number) => `The request body may have at most ${bytes} bytes.`),
  targetTooLong: define(
    codes.targetTooLong,
    (bytes: number) => `The path and the query may have at most ${bytes} bytes together.`,
  ),
  unsupportedMediaType: define(
    codes.unsupportedMediaType,
    'Send the body as Content-Type: application/json, in UTF-8 and uncompressed.',
  ),
  headersTooLarge: define(
    codes.headersTooLarge,
    'The request line and the headers are too large. Send long variables in the body of POST /graphql.',
  ),
  malformedHttp: define(codes.badRequest, 'The request is not well-formed HTTP.'),
  requestTimeout: define(codes.requestTimeout, 'The request took too long to arrive.'),
  invalidJson: define(codes.badRequest, 'The request body is not valid JSON in UTF-8.'),
  invalidBody: define(codes.badRequest, given),
  persistedQueryNotFound: define(codes.persistedQueryNotFound, 'PersistedQueryNotFound'),
  unknownDocumentId: define(
    codes.unknownDocumentId,
    'The service knows no document with this documentId. Send the document as "query", or ask the operator to publish it.',
  ),
  persistedQueryNotSupported: define(codes.persistedQueryNotSupported, 'PersistedQueryNotSupported'),
  queryNotInSafelist: define(
    codes.queryNotInSafelist,
    'This API key may send trusted documents only, and this document is not one of them. Send the id or exactly the text of a document in the manifest of trusted documents.',
  ),

  parseFailed: define(codes.parseFailed, given),
  validationFailed: define(codes.validationFailed, given),
  tooManyRepeatedFields: define(
    codes.validationFailed,
    'The document repeats fields too often: more than 25,000 pairs of fields with the same response name, or of fragments that they spread, would be compared. Select each field once.',
  ),
  tooManyExpandedSelections: define(
    codes.validationFailed,
    'With their fragments expanded, the selection sets of the document have more than 20,000 selections together. Spread large fragments less often, or use shorter chains of fragments.',
  ),
  operationUnresolved: define(codes.operationUnresolved, given),
  tooDeep: define(
    codes.tooDeep,
    (depth: number, max: number) => `Query has depth of ${depth}, which exceeds max depth of ${max}`,
  ),
  tooComplex: define(
    codes.tooComplex,
    (cost: number, max: number) => `Query has complexity of ${capped(cost)}, which exceeds max complexity of ${max}`,
  ),
  tooManyFields: define(
    codes.tooComplex,
    (fields: number, max: number) =>
      `Query has ${capped(fields)} fields and conditions after its fragments are expanded, which exceeds max ${max}. Send several smaller queries.`,
  ),
  tooManySelections: define(
    codes.tooComplex,
    (selections: number, max: number) =>
      `Query has ${capped(selections)} selections after its fragments are expanded, which exceeds max ${max}. Spread fragments less often.`,
  ),
  tooManyTokens: define(codes.tooLongToRead, (max: number) => `Query has more than ${max} tokens`),
  tooManyFragments: define(codes.tooLongToRead, (max: number) => `Query spreads more than ${max} fragments`),
  tooLongName: define(codes.tooLongToRead, (max: number) => `Query has a name of more than ${max} characters`),

  badUserInput: define(codes.badUserInput, given),
  blank: define(codes.badUserInput, (name: string) => `${name} must not be blank`),
  tooLong: define(codes.badUserInput, (name: string, max: number) => `${name} must be ${max} characters or fewer`),
  invalidCursor: define(codes.badUserInput, 'Invalid cursor'),
  similarBudgetSpent: define(
    codes.badUserInput,
    (max: number) => `One request asks similar verses of at most ${max} verses; ask for less at once`,
  ),
  verseBudgetSpent: define(
    codes.badUserInput,
    (max: number) => `One request holds at most ${max} verses over all its fields; ask for less at once`,
  ),
  valueBudgetSpent: define(
    codes.badUserInput,
    (max: number) =>
      `One request gives at most ${max} values of verses, chapters and words; ask for fewer fields, or less at once`,
  ),
  tooManyErrors: define(
    codes.badUserInput,
    (max: number) => `More than ${max} fields of one request fail; ask for less at once, and for what there is`,
  ),
  tooManyValues: define(
    codes.badUserInput,
    (max: number) => `One response of a subgraph has at most ${max} values; ask for fewer fields, or less at once`,
  ),
  tooManyEntities: define(
    codes.badUserInput,
    (max: number) => `One request of a gateway has at most ${max} representations; ask for less at once`,
  ),
  requestTooExpensive: define(
    codes.requestTooExpensive,
    (ms: number) => `The request needs more than ${ms} ms of computing time; ask for fewer fields, or less at once`,
  ),
  testamentUnknown: define(codes.validationFailed, "Testament must be 'OT' or 'NT'"),

  translationNotFound: define(codes.notFound, (identifier: string) => `Translation '${identifier}' not found`),
  bookNotFound: define(codes.notFound, (book: string) => `Book '${book}' not found`),
  chapterNotFound: define(codes.notFound, (chapter: string) => `Chapter '${chapter}' not found`),
  verseNotFound: define(codes.notFound, (verse: string) => `Verse '${verse}' not found`),
  invalidReference: define(codes.notFound, given),
  strongsNotFound: define(codes.notFound, (number: string) => `Strong's number '${number}' not found`),
  documentNotFound: define(codes.notFound, (code: string) => `Document '${code}' not found`),
  topicNotFound: define(codes.notFound, (name: string) => `Topic '${name}' not found`),
  lexiconEntryNotFound: define(codes.notFound, (id: string) => `Lexicon entry '${id}' not found`),
  noVerses: define(codes.notFound, 'No verses found for the given filters'),

  subgraphUnavailable: define(
    codes.subgraphUnavailable,
    'This part of the graph is temporarily unavailable. Please try again later.',
  ),
  embeddingUnavailable: define(
    codes.subgraphUnavailable,
    'Embedding service is temporarily unavailable. Please try again later.',
  ),
  internal: define(
    codes.internal,
    (_requestId?: string) => 'Internal server error',
    (requestId?: string) => (requestId === undefined ? {} : { requestId }),
  ),
} as const;

const statuses = new Map(errorCodes.map(({ code, status }) => [code, status]));

export const isErrorCode = (code: unknown): code is string => typeof code === 'string' && statuses.has(code);

/** The HTTP status of a request that is rejected with this code. 200 if it occurs only in GraphQL responses. */
export const httpStatus = (code: string): number => statuses.get(code) ?? 200;

export const isPublicError = (error: unknown): error is PublicError =>
  error instanceof Error && isErrorCode((error as Partial<PublicError>).extensions?.code);
