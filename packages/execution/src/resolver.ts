import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { defaultFieldResolver, TypeNameMetaFieldDef } from 'graphql';
import type { BuildInfo, ExecutionState, Path } from './state';
import { compileArguments, type VariableValues } from './values';

/** The operation that is being compiled, and what its compilation needs. */
export interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /**
   * The values of the variables in @skip and @include. The compiled selection holds for these
   * values only.
   */
  readonly conditions: VariableValues;
  /** Called for each compiled field, so that the caller can count the fields. */
  readonly onField: () => void;
}

export type ResolveField = (state: ExecutionState, source: unknown, parent: Path | undefined) => unknown;

export const compileInfo =
  (
    { schema, fragments, operation }: OperationParts,
    parentType: GraphQLObjectType,
    { name, type }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
  ): BuildInfo =>
  ({ variables }, path) => ({
    fieldName: name,
    fieldNodes,
    returnType: type,
    parentType,
    path,
    schema,
    fragments,
    rootValue: undefined,
    operation,
    variableValues: variables,
  });

/**
 * The number of parameters of a resolver that reads `info`. For all other resolvers `info` is not
 * built.
 */
const parametersWithInfo = 4;

export function compileResolver(
  parts: OperationParts,
  type: GraphQLObjectType,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  key: string,
): ResolveField {
  if (definition === TypeNameMetaFieldDef) return () => type.name;
  const [node] = nodes;
  if (!node) throw new Error(`The response key ${key} has no field node.`);
  const coerceArguments = compileArguments(definition, node);
  const buildInfo = compileInfo(parts, type, definition, nodes);
  const pathIn = (prev: Path | undefined): Path => ({ prev, key, typename: type.name });
  const resolver = definition.resolve ?? defaultFieldResolver;
  const resolveWithInfo: ResolveField = (state, source, parent) =>
    resolver(source, coerceArguments(state.variables), state.context, buildInfo(state, pathIn(parent)));
  if (resolver === defaultFieldResolver) return compileProperty(definition.name, resolveWithInfo);
  if (resolver.length >= parametersWithInfo) return resolveWithInfo;
  const resolverWithoutInfo = resolver as (source: unknown, args: unknown, context: unknown) => unknown;
  return (state, source) => resolverWithoutInfo(source, coerceArguments(state.variables), state.context);
}

/**
 * Compiles the default resolver, which reads a property of the source. For a property that is a
 * method, graphql-js's own resolver calls the method.
 */
const compileProperty =
  (name: string, resolveByGraphqlJs: ResolveField): ResolveField =>
  (state, source, parent) => {
    if (typeof source !== 'object' || source === null) return resolveByGraphqlJs(state, source, parent);
    const value = (source as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'function' ? resolveByGraphqlJs(state, source, parent) : value;
  };
