import type { DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import { execute, getOperationAST, isObjectType, OperationTypeNode } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields';
import type { CompiledKept } from './compiled-kept';
import type { ErrorLimit } from './field-errors';
import { createFieldErrors } from './field-errors';
import type { Selection } from './selection';
import { compileSelection, executeSelection } from './selection';
import type { VariableValues } from './variables';
import { compileVariables } from './variables';
import { createVariants, fragmentsOf } from './variants';

/** What is known of an operation before it runs. */
export interface AboutOperation {
  /** How many fields it asks of the query itself. With one, nothing else can ask in the same moment, and there is nothing to wait for that could be read together with it. */
  readonly rootFields: number;
}

export interface Executed {
  /** Absent where the variables do not fit their types: then nothing was executed. */
  readonly data?: Record<string, unknown> | null | undefined;
  readonly errors?: readonly GraphQLError[] | undefined;
}

/** `createContext` is called once, when the variables are known to fit and before anything is resolved. */
export type ExecuteOperation = (
  variables: Readonly<VariableValues>,
  createContext: (about?: AboutOperation) => unknown,
) => Executed | Promise<Executed>;

export interface CompileOptions {
  kept: CompiledKept<Selection>;
  errorLimit: ErrorLimit;
}

/** As graphql-js has it. */
const mostVariableErrors = 50;

/**
 * Finds out once what graphql-js's `execute` finds out for every call: which fields there are, their resolvers, arguments and types. The answers and the errors
 * are the same, and in the same order (docs/decisions/0004-compiled-operations.md), up to the limit of errors, which graphql-js has not. The document has to be valid. Left to
 * graphql-js are mutations, schemas whose types are told by `isTypeOf`, and operations that are not clear.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  { kept, errorLimit }: CompileOptions,
): ExecuteOperation {
  const byGraphqlJs = interpretOperation(schema, document, operationName);
  const operation = getOperationAST(document, operationName);
  const root = schema.getQueryType();
  if (operation?.operation !== OperationTypeNode.QUERY || !root || tellsTypesByQuestion(schema)) return byGraphqlJs;
  const fragments = fragmentsOf(document);
  const selectionFor = createVariants({
    document,
    operation,
    kept,
    compile: (conditions, onField) =>
      compileSelection(
        { schema, operation, fragments, conditions, onField },
        root,
        collectFields(schema, fragments, conditions, root, operation.selectionSet),
      ),
  });
  const coerce = compileVariables(schema, operation, mostVariableErrors);

  return (given, createContext) => {
    const { coerced, errors: faults } = coerce(given);
    if (!coerced) return { errors: faults };
    const errors = createFieldErrors(errorLimit);
    const executed = (data: unknown): Executed => {
      const told = errors.told();
      return told.length === 0
        ? { data: data as Executed['data'] }
        : { errors: told, data: errors.isFull() ? null : (data as Executed['data']) };
    };
    const failed = (error: unknown): Executed => {
      errors.add(error as GraphQLError, undefined);
      return executed(null);
    };
    try {
      const selection = selectionFor(coerced);
      // A null where a condition stands is a fault that graphql-js tells at its place.
      if (!selection) return byGraphqlJs(given, createContext);
      const context = createContext({ rootFields: selection.length });
      const data = executeSelection({ context, variables: coerced, errors }, selection, undefined, undefined);
      return data instanceof Promise ? data.then(executed, failed) : executed(data);
    } catch (error) {
      return failed(error);
    }
  };
}

/** The same by graphql-js alone. */
export const interpretOperation =
  (schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): ExecuteOperation =>
  (variables, createContext) =>
    execute({
      schema,
      document,
      variableValues: variables,
      operationName: operationName ?? null,
      contextValue: createContext(),
    });

const tellsTypesByQuestion = (schema: GraphQLSchema): boolean =>
  Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf);
