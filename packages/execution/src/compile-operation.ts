import { execute, getOperationAST, isObjectType, Kind, OperationTypeNode, visit } from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields';
import { createFieldErrors } from './field-errors';
import { compileSelection, executeSelection } from './selection';
import type { Selection } from './selection';
import type { SelectionsKept } from './selections-kept';
import { compileVariables } from './variables';
import type { VariableValues } from './variables';

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
export type ExecuteOperation = (variables: Readonly<VariableValues>, createContext: (about?: AboutOperation) => unknown) => Executed | Promise<Executed>;

/** As graphql-js has it. */
const mostVariableErrors = 50;

/** Variables in @skip and @include: each doubles the selections that one operation may have. An operation with more of them is not compiled. */
const mostConditions = 4;

/**
 * Finds out once what graphql-js's `execute` finds out for every call: which fields there are, their resolvers, arguments and types. The answers and the errors
 * are the same, and in the same order (docs/decisions/0004-operations-compiled.md). The document has to be valid. Left to graphql-js are mutations,
 * many conditions, schemas whose types are told by `isTypeOf`, and operations that are not clear.
 */
export function compileOperation(schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined, kept: SelectionsKept): ExecuteOperation {
  const byGraphqlJs = interpretOperation(schema, document, operationName);
  const operation = getOperationAST(document, operationName);
  const root = schema.getQueryType();
  if (operation?.operation !== OperationTypeNode.QUERY || !root || tellsTypesByQuestion(schema)) return byGraphqlJs;
  const names = conditionsOf(document, operation);
  if (names.length > mostConditions) return byGraphqlJs;

  const fragments = Object.fromEntries(document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] => (definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [])));
  const coerce = compileVariables(schema, operation, mostVariableErrors);
  const keys = new Map<string, object>();
  const selectionFor = (variables: VariableValues): Selection => {
    const values = names.map((name) => String(variables[name])).join(' ');
    const key = keys.get(values) ?? {};
    keys.set(values, key);
    const known = kept.get(key);
    if (known) return known;
    const conditions = Object.fromEntries(names.map((name) => [name, variables[name]]));
    let fields = 0;
    const onField = () => {
      fields += 1;
    };
    const made = compileSelection({ schema, operation, fragments, conditions, onField }, root, collectFields(schema, fragments, conditions, root, operation.selectionSet));
    kept.keep(key, made, fields);
    return made;
  };

  return (given, createContext) => {
    const { coerced, errors: faults } = coerce(given);
    if (!coerced) return { errors: faults };
    // A null where a condition stands is a fault that graphql-js tells at its place.
    if (names.some((name) => typeof coerced[name] !== 'boolean')) return byGraphqlJs(given, createContext);
    const errors = createFieldErrors();
    const executed = (data: unknown): Executed => (errors.list.length === 0 ? { data: data as Executed['data'] } : { errors: errors.list, data: data as Executed['data'] });
    const failed = (error: unknown): Executed => {
      errors.add(error as GraphQLError, undefined);
      return executed(null);
    };
    try {
      const selection = selectionFor(coerced);
      const context = createContext({ rootFields: selection.length });
      const data = executeSelection({ context, variables: coerced, errors }, selection, undefined, undefined);
      return data instanceof Promise ? data.then(executed, failed) : executed(data);
    } catch (error) {
      return failed(error);
    }
  };
}

/** The same by graphql-js alone. */
export const interpretOperation = (schema: GraphQLSchema, document: DocumentNode, operationName: string | undefined): ExecuteOperation =>
  (variables, createContext) => execute({ schema, document, variableValues: variables, operationName: operationName ?? null, contextValue: createContext() });

/** The variables that decide which fields there are. */
function conditionsOf(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => names.has(name));
}

const tellsTypesByQuestion = (schema: GraphQLSchema): boolean => Object.values(schema.getTypeMap()).some((type) => isObjectType(type) && type.isTypeOf);
