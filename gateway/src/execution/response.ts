import { errors, isErrorCode } from '@lectern/errors';
import { fragmentsByName } from '@lectern/execution';
import { errorBody, type Logger } from '@lectern/serving';
import { type DocumentNode, type GraphQLFormattedError, getOperationAST, Kind, type SelectionSetNode } from 'graphql';
import { type Awaitable, thenMaybe } from '../shared/awaitable';
import { maxLocations, parseForErrors } from '../shared/error-locations';
import { maxErrors } from '../transport/response';
import type { ExecutableOperation, ExecutionResult, RawError } from './operation';

type DocumentText = Pick<ExecutableOperation, 'query' | 'name'>;

/** Writes a value as JSON. A large value is written in steps, and other requests run between the steps. */
export type WriteJson = (value: unknown, isLarge: boolean) => Awaitable<string | Buffer>;

export interface FormattedResponse {
  readonly body: string | Buffer;
  readonly codes: readonly string[];
}

interface FormatParts {
  log: Logger;
  writeJson: WriteJson;
  /** The subgraphs whose errors clients see as they are. `*` stands for all. */
  exposedErrors: readonly string[];
}

/**
 * Formats a response. An error that is neither public nor of an exposed subgraph is logged and becomes
 * INTERNAL_SERVER_ERROR. Errors are in the order of the fields. More than 1,000 become one without data, because
 * sorting them would block the event loop.
 */
export function formatResponse(
  result: ExecutionResult,
  operation: DocumentText,
  requestId: string,
  parts: FormatParts,
): Awaitable<FormattedResponse> {
  const { rawBody, data = null, isLarge = false } = result;
  if (rawBody) return { body: rawBody, codes: [] };
  const write = (response: unknown, codes: readonly string[]): Awaitable<FormattedResponse> =>
    thenMaybe(parts.writeJson(response, isLarge), (body) => ({ body, codes }));
  const { errors: failures = [] } = result;
  if (failures.length === 0) return write({ data }, []);
  if (failures.length > maxErrors) return formatRejection(errorBody(errors.tooManyErrors(maxErrors)).errors);
  const formatted = failures.map((error) => formatError(error, requestId, parts));
  const sorted = sortErrors(formatted, operation);
  return write({ errors: sorted, data }, codesOf(sorted));
}

export const formatRejection = (rejection: readonly GraphQLFormattedError[]): FormattedResponse => ({
  body: JSON.stringify({ errors: rejection }),
  codes: codesOf(rejection),
});

const codesOf = (list: readonly GraphQLFormattedError[]): string[] =>
  list.map(({ extensions }) => String(extensions?.['code']));

function formatError(error: RawError, requestId: string, { log, exposedErrors }: FormatParts): GraphQLFormattedError {
  const { code, subgraph, requestId: subgraphRequestId } = error.extensions ?? {};
  const isExposed = subgraph !== undefined && ['*', subgraph].some((name) => exposedErrors.includes(String(name)));
  if (isExposed || (isErrorCode(code) && code !== errors.internal.code))
    return { message: error.message, path: error.path, extensions: { code: String(code) } };
  // The subgraph has logged the error under its own request id. This line links it to the client's.
  log.error({ requestId, path: error.path, subgraph, subgraphRequestId, error: error.message }, 'a field failed');
  return {
    message: errors.internal().message,
    path: error.path,
    extensions: { code: errors.internal.code, requestId },
  };
}

/** Sorts errors by field and index, because subgraphs respond in any order. Parses the document again for locations. */
function sortErrors(errors: readonly GraphQLFormattedError[], { query, name }: DocumentText) {
  const { document, locate } = parseForErrors(query);
  const fields = readFields(document, name);
  const ranked = errors.map((error) => {
    const { path = [] } = error;
    const found = fields.get(path.filter((step) => typeof step === 'string').join(' '));
    const { message, extensions } = error;
    const located = found
      ? { message, locations: found.positions.slice(0, maxLocations).map(locate), path, extensions }
      : error;
    return { error: located, position: rankPath(path, fields) };
  });
  return ranked.sort((one, other) => comparePositions(one.position, other.position)).map(({ error }) => error);
}

interface FieldPlace {
  /** The number of fields before it, in document order. */
  readonly rank: number;
  /** The positions in the text at which the field is selected. */
  readonly positions: number[];
}

/** Reads the fields of an operation, by their paths of response keys, joined with spaces. */
function readFields(document: DocumentNode, operationName: string | null): ReadonlyMap<string, FieldPlace> {
  const fragments = fragmentsByName(document);
  const fields = new Map<string, FieldPlace>();
  // Each fragment is read once at each path, because spreading a fragment again adds no fields.
  const spreads = new Set<string>();
  const walk = ({ selections }: SelectionSetNode, parentPath: string): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const key = (selection.alias ?? selection.name).value;
        const path = parentPath === '' ? key : `${parentPath} ${key}`;
        const field = fields.get(path) ?? { rank: fields.size, positions: [] };
        fields.set(path, field);
        field.positions.push(selection.loc?.start ?? 0);
        if (selection.selectionSet) walk(selection.selectionSet, path);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, parentPath);
      else {
        const spread = `${selection.name.value} at ${parentPath}`;
        const fragment = fragments[selection.name.value];
        if (spreads.has(spread) || !fragment) continue;
        spreads.add(spread);
        walk(fragment.selectionSet, parentPath);
      }
    }
  };
  const operation = getOperationAST(document, operationName);
  if (operation) walk(operation.selectionSet, '');
  return fields;
}

function rankPath(path: readonly (string | number)[], fields: ReadonlyMap<string, FieldPlace>): number[] {
  const keys: string[] = [];
  return path.map((step) => {
    if (typeof step === 'number') return step;
    keys.push(step);
    return fields.get(keys.join(' '))?.rank ?? fields.size;
  });
}

function comparePositions(one: readonly number[], other: readonly number[]): number {
  for (const [index, rank] of one.entries()) {
    const difference = rank - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
