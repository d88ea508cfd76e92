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
  /**
   * The number of fields of the query type that the operation selects. If there is only one, its resolver need not wait
   * to batch loads, because no other field loads data at the same time.
   */
  readonly rootFields: number;
}

/** The result of an operation. `values` and `characters` are absent if graphql-js executed the operation. */
export interface OperationResult {
  /** The data. Absent if nothing was executed, because of invalid variables or an unknown operation name. */
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly GraphQLError[];
  /** The number of field values in the data. */
  readonly values?: number;
  /** The number of UTF-16 units in the strings of the data. */
  readonly characters?: number;
}

/**
 * The maximum number of field values, and of UTF-16 units in strings, of a result that is not large. Converting so
 * much to JSON takes one or two milliseconds.
 */
const maxSmallResult = { values: 2_000, characters: 200_000 };

/** Returns whether converting the data to JSON takes long. False for results of graphql-js. */
export const isLargeResult = ({ values = 0, characters = 0 }: OperationResult): boolean =>
  values > maxSmallResult.values || characters > maxSmallResult.characters;

/**
 * Executes an operation. `createContext` is called at most once, before the first resolver. A compiled operation does
 * not call it if the variables are invalid.
 */
export type ExecuteOperation = (
  variables: Readonly<VariableValues>,
  createContext: (info?: OperationInfo) => unknown,
) => OperationResult | Promise<OperationResult>;

interface CompileOptions {
  /** Called with the estimated memory of newly compiled fields, in bytes. */
  grow: Grow;
  errorLimit: ErrorLimit;
  /**
   * Returns the `Pace` that decides when an execution with this context pauses for other requests. By default,
   * executions do not pause.
   */
  paceOf?: (context: unknown) => Pace;
}

/** The maximum number of errors in variables that a response reports, as in graphql-js. */
const maxVariableErrors = 50;

/**
 * Compiles the parts of an operation that graphql-js's `execute` computes anew for each request: fields, resolvers,
 * arguments and types. The document must be valid. Data, errors and their order are the same as with graphql-js
 * (docs/decisions/0004-compiled-operations.md), with two exceptions: after a pause, errors may be in another order, and
 * a compiled operation stops at `errorLimit`.
 *
 * graphql-js itself executes some operations: those that are not queries, those of schemas with `isTypeOf`, and those
 * of documents in which the operation name chooses no operation.
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
      // `selection` is null if a variable of @skip or @include is null. graphql-js then executes the operation,
      // because it reports the error with its location.
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

/** Executes the operation with graphql-js, and applies the error limit to the result. */
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

/**
 * The maximum number of variables in @skip and @include up to which compiled variants are cached. Each variable doubles
 * the number of variants.
 */
const maxCachedConditions = 4;

/**
 * Creates the function that compiles an operation once for each combination of values of the variables in @skip and
 * @include, because their values decide which fields the operation has. The function takes all coerced variables. It
 * returns null if a variable in @skip or @include is neither true nor false.
 */
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

/**
 * Returns the fragments of a document by name, as graphql-js needs them. The object has no prototype, because a client
 * may spread an unknown fragment with the name `constructor`.
 */
export function fragmentsByName({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const fragments: Record<string, FragmentDefinitionNode> = Object.create(null);
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments[definition.name.value] = definition;
  return fragments;
}
