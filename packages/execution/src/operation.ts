import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { execute, getOperationAST, isObjectType, Kind, OperationTypeNode, visit } from 'graphql';
import { bytesPerField, type Grow } from './cache';
import { collectFields } from './internals';
import { compileSelection, executeSelection } from './selection';
import type { ErrorLimit, ExecutionState, FieldFailure, Pace } from './state';
import { createFieldErrors, limitErrors, unboundedPace, valuesPerCheck } from './state';
import { compileVariables, type VariableValues } from './values';

export interface OperationInfo {
  /** The number of selected root fields. A single one need not batch loads: no other field loads data. */
  readonly rootFields: number;
}

/** The result of an operation. `values` and `characters` are absent if graphql-js executed the operation. */
export interface OperationResult {
  /** The data. Absent if nothing was executed, because of invalid variables or an unknown operation name. */
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLError[];
  readonly values?: number;
  readonly characters?: number;
}

/** Converting so many field values, or UTF-16 units in strings, to JSON takes one or two milliseconds. */
const maxSmallResult = { values: 2_000, characters: 200_000 };

/** Returns whether converting the data to JSON takes long. False for results of graphql-js. */
export const isLargeResult = ({ values = 0, characters = 0 }: OperationResult): boolean =>
  values > maxSmallResult.values || characters > maxSmallResult.characters;

/** Calls `createContext` at most once, before the first resolver. Compiled operations skip it for invalid variables. */
export type ExecuteOperation = (
  variables: Readonly<VariableValues>,
  createContext: (info?: OperationInfo) => unknown,
) => OperationResult | Promise<OperationResult>;

interface CompileOptions {
  /** Called with the estimated memory of newly compiled fields, in bytes. */
  grow: Grow;
  errorLimit: ErrorLimit;
  /** Returns when an execution with this context pauses for other requests. By default, none does. */
  paceOf?: (context: unknown) => Pace;
}

/** The maximum number of errors in variables that a response reports, as in graphql-js. */
const maxVariableErrors = 50;

/**
 * Compiles what graphql-js's `execute` computes anew for each request. The document must be valid. Results are the same
 * (docs/decisions/0004-compiled-operations.md), but for the order of errors after a pause and for `errorLimit`.
 * graphql-js executes other operations than chosen queries, and schemas with `isTypeOf`.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  { grow, errorLimit, paceOf = () => unboundedPace }: CompileOptions,
): ExecuteOperation {
  const interpret = interpretOperation(schema, document, operationName, errorLimit);
  const operation = getOperationAST(document, operationName);
  const root = schema.getQueryType();
  const usesIsTypeOf = Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf);
  if (operation?.operation !== OperationTypeNode.QUERY || !root || usesIsTypeOf) return interpret;
  const fragments = fragmentsByName(document);
  const selectionFor = createSkipIncludeVariants({
    document,
    operation,
    grow,
    compile: (conditions, onField) =>
      compileSelection(
        { schema, operation, fragments, conditions, onField },
        root,
        collectFields(schema, fragments, conditions, root, operation.selectionSet),
      ),
  });
  const coerce = compileVariables(schema, operation, maxVariableErrors);

  return (variables, createContext) => {
    const { coerced, errors: variableErrors } = coerce(variables);
    if (!coerced) return { errors: variableErrors };
    const fieldErrors = createFieldErrors(errorLimit);
    let state: ExecutionState | undefined;
    const succeed = (data: unknown): OperationResult => {
      const errors = fieldErrors.all();
      const { values, characters } = state ?? {};
      return errors.length === 0
        ? { data: data as OperationResult['data'], values, characters }
        : { errors, data: fieldErrors.isFull() ? null : (data as OperationResult['data']), values, characters };
    };
    const fail = (error: unknown): OperationResult => {
      fieldErrors.add(error as FieldFailure | GraphQLError, undefined);
      return succeed(null);
    };
    try {
      const selection = selectionFor(coerced);
      // If a variable of @skip or @include is null, graphql-js reports the error with its location.
      if (!selection) return interpret(variables, createContext);
      const context = createContext({ rootFields: selection.length });
      const pace = paceOf(context);
      const counts = { values: 0, characters: 0, nextCheck: valuesPerCheck };
      const started = { context, variables: coerced, errors: fieldErrors, pace, ...counts };
      state = started;
      const data = pace.measure(() => executeSelection(started, selection, undefined, undefined));
      return data instanceof Promise ? data.then(succeed, fail) : succeed(data);
    } catch (error) {
      return fail(error);
    }
  };
}

export const interpretOperation =
  (
    schema: GraphQLSchema,
    document: DocumentNode,
    operationName: string | undefined,
    errorLimit: ErrorLimit,
  ): ExecuteOperation =>
  (variables, createContext) => {
    const result = execute({
      schema,
      document,
      variableValues: variables,
      operationName: operationName ?? null,
      contextValue: createContext(),
    });
    return result instanceof Promise
      ? result.then((executed) => limitErrors(executed, errorLimit))
      : limitErrors(result, errorLimit);
  };

/** Variants are cached for at most so many variables in @skip and @include. Each doubles their number. */
const maxCachedConditions = 4;

/** Compiles an operation for each combination of the variables in @skip and @include. Null if one is not a boolean. */
export function createSkipIncludeVariants<Compiled>({
  document,
  operation: { variableDefinitions = [] },
  grow,
  compile,
}: {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  grow: Grow;
  /** Compiles a variant. Calls `onField` for each field. */
  compile: (conditions: VariableValues, onField: () => void) => Compiled;
}): (variables: Readonly<VariableValues>) => Compiled | null {
  const conditions = conditionNames(document);
  const names = variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => conditions.has(name));
  const variants = new Map<string, Compiled>();
  return (variables) => {
    let key = '';
    for (const name of names) {
      const value = variables[name];
      if (typeof value !== 'boolean') return null;
      key += value ? '1' : '0';
    }
    const known = variants.get(key);
    if (known !== undefined) return known;
    let fields = 0;
    const compiled = compile(Object.fromEntries(names.map((name) => [name, variables[name]])), () => (fields += 1));
    if (names.length <= maxCachedConditions) {
      variants.set(key, compiled);
      grow(fields * bytesPerField);
    }
    return compiled;
  };
}

function conditionNames(document: DocumentNode): ReadonlySet<string> {
  const found = new Set<string>();
  visit(document, {
    Directive({ name, arguments: values = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of values) if (value.kind === Kind.VARIABLE) found.add(value.name.value);
    },
  });
  return found;
}

/** Returns the fragments by name, in an object without prototype: a client may spread a fragment `constructor`. */
export function fragmentsByName({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}
