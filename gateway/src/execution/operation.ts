import type { Grow } from '@lectern/execution';
import type { Span } from '@lectern/telemetry';
import { type DocumentNode, Kind, type OperationDefinitionNode, separateOperations } from 'graphql';
import type { Awaitable } from '../shared/awaitable';
import type { SubgraphFetchOptions } from '../transport/replica-fetch';

export type Variables = Record<string, unknown>;

/** A valid document, and the one operation of the document that the operation name chooses. */
export interface ChosenOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

/** The context of one client request, for logs, traces and requests to subgraphs. */
export interface TraceContext extends Omit<SubgraphFetchOptions, 'acceptsRawBody'> {
  readonly span: Span;
}

/** A valid operation with all that its execution needs, as the operation cache holds it. */
export interface ExecutableOperation extends ChosenOperation {
  readonly query: string;
  /** The name of the operation in the document. Null for an anonymous operation. */
  readonly name: string | null;
  /** A hash of the document's text and the operation's name. */
  readonly hash: string;
  readonly grow: Grow;
  /** The operation, prepared for execution. Null until the first request. */
  compiled: CompiledOperation | null;
}

export interface ExecutableRequest {
  readonly operation: ExecutableOperation;
  /** The variables as the client sent them. Null if the client sent none. */
  readonly variables: Variables | null;
  /** The declared variables with their defaults, coerced to their types. */
  readonly coercedVariables: Readonly<Variables>;
}

export interface ExecutionContext extends TraceContext {
  /** Whether the result must have parsed `data` instead of `rawBody`, because the caller adds introspection fields. */
  readonly needsFields?: boolean;
}

/** A response from @apollo/gateway or from a subgraph, before formatting. */
export interface RawResponse {
  data?: Record<string, unknown> | null;
  errors?: readonly RawError[];
}

export interface RawError {
  message: string;
  path?: readonly (string | number)[];
  extensions?: Record<string, unknown>;
}

export interface ExecutionResult extends RawResponse {
  /** The unparsed body of a response without errors, if its subgraph declares that the body is `{"data":{...}}`. */
  rawBody?: Buffer;
  isLarge?: boolean;
}

export interface CompiledOperation {
  /** Makes the query plan. Throws or rejects if the operation has none. */
  plan(): Awaitable<void>;
  execute(request: ExecutableRequest, context: ExecutionContext): Awaitable<ExecutionResult>;
}

export const variableNames = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

/** Returns the document of one operation with its fragments. `definition` may have fewer fields than the operation. */
export function separateOperation(
  operation: ChosenOperation,
  definition: OperationDefinitionNode = operation.definition,
): ChosenOperation {
  const fragments = operation.document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const [document = operation.document] = Object.values(
    separateOperations({ ...operation.document, definitions: [definition, ...fragments] }),
  );
  return { document, definition };
}
