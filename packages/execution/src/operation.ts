import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { execute, getOperationAST, isObjectType, OperationTypeNode } from 'graphql';
import type { Grow } from './cache';
import type { VariableValues } from './compile-variables';
import { compileVariables } from './compile-variables';
import type { ExecutionState, Pace } from './execution-state-and-pace';
import { unboundedPace, valuesPerCheck } from './execution-state-and-pace';
import { fragmentsByName } from './fragments-by-name';
import { collectFields } from './internals';
import { compileSelection, executeSelection } from './selection';
import { createSkipIncludeVariants } from './skip-include-variants';
import type { ErrorLimit, FieldFailure } from './state';
import { createFieldErrors, limitErrors } from './state';

/** The facts about an operation that are known before its execution. */
export interface OperationInfo {
  /**
   * The number of fields of the query type that the operation selects. If there is only one, no
   * other field loads data at the same time. Then the resolver of this field need not wait to batch
   * the loads of several fields.
   */
  readonly rootFields: number;
}

export interface OperationResult {
  /**
   * The data of the response. Absent if nothing was executed, because the variables do not fit
   * their types or the operation name chooses no operation.
   */
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly GraphQLError[] | undefined;
  /** The number of field values in the data. Absent if graphql-js executed the operation. */
  readonly values?: number | undefined;
  /**
   * The number of UTF-16 units in the strings of the data. Absent if graphql-js executed the
   * operation.
   */
  readonly characters?: number | undefined;
}

/** The number of field values that are converted to JSON in one or two milliseconds. */
const maxSmallValues = 2_000;

/** The number of UTF-16 units of text that are converted to JSON in one or two milliseconds. */
const maxSmallCharacters = 200_000;

/**
 * Returns whether it takes several milliseconds to convert the data to JSON. Returns false for
 * results of graphql-js, whose numbers of values and characters are unknown.
 */
export const isLargeResult = ({ values = 0, characters = 0 }: OperationResult): boolean =>
  values > maxSmallValues || characters > maxSmallCharacters;

/**
 * Executes the operation. `createContext` is called at most once, before the first resolver. A
 * compiled operation does not call it if the variables do not fit their types.
 */
export type ExecuteOperation = (
  variables: Readonly<VariableValues>,
  createContext: (info?: OperationInfo) => unknown,
) => OperationResult | Promise<OperationResult>;

export interface CompileOptions {
  /** Called with the estimated memory of newly compiled fields, in bytes. */
  grow: Grow;
  errorLimit: ErrorLimit;
  /**
   * Returns the `Pace` that decides when the execution with this context pauses. By default no
   * execution pauses.
   */
  paceOf?: (context: unknown) => Pace;
}

/** The maximum number of errors in variables that a response reports, as in graphql-js. */
const maxVariableErrors = 50;

/**
 * Compiles the parts of an operation that graphql-js's `execute` computes anew for each request:
 * fields, resolvers, arguments and types. Data, errors and their order are the same as those of
 * graphql-js (docs/decisions/0004-compiled-operations.md), with two exceptions. After a pause,
 * errors may be in another order. graphql-js has no `errorLimit`, at which a compiled operation
 * stops. The document has to be valid. graphql-js itself executes all operations that are not
 * queries, schemas with `isTypeOf`, and documents in which the operation name does not choose an
 * operation.
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
  if (operation?.operation !== OperationTypeNode.QUERY || !root || usesIsTypeOf(schema)) return interpret;
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
      // The selection is null because a variable of @skip or @include is null. graphql-js reports
      // this error with its location.
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

/**
 * Returns a function that executes the operation with graphql-js, without compiling it. The error
 * limit is applied to the result.
 */
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

const usesIsTypeOf = (schema: GraphQLSchema): boolean =>
  Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf);
