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

export interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /** The values of the variables in @skip and @include. The compiled selection is valid for these values only. */
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

/** For resolvers with fewer parameters, `info`, the fourth, is not built. */
const parametersWithInfo = 4;

export function compileResolver(
  type: GraphQLObjectType,
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
  key: string,
  buildInfo: BuildInfo,
): ResolveField {
  if (definition === TypeNameMetaFieldDef) return () => type.name;
  const coerceArguments = compileArguments(definition, node);
  const resolver = definition.resolve ?? defaultFieldResolver;
  const resolveWithInfo: ResolveField = (state, source, prev) => {
    const info = buildInfo(state, { prev, key, typename: type.name });
    return resolver(source, coerceArguments(state.variables), state.context, info);
  };
  if (resolver === defaultFieldResolver) return compileProperty(definition.name, resolveWithInfo);
  if (resolver.length >= parametersWithInfo) return resolveWithInfo;
  const resolverWithoutInfo = resolver as (source: unknown, args: unknown, context: unknown) => unknown;
  return (state, source) => resolverWithoutInfo(source, coerceArguments(state.variables), state.context);
}

/** The default resolver reads a property of the source. For a method, graphql-js's own calls it. */
const compileProperty =
  (name: string, resolveByGraphqlJs: ResolveField): ResolveField =>
  (state, source, parent) => {
    if (typeof source !== 'object' || source === null) return resolveByGraphqlJs(state, source, parent);
    const value = (source as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'function' ? resolveByGraphqlJs(state, source, parent) : value;
  };
