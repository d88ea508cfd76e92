import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import { defaultFieldResolver, TypeNameMetaFieldDef } from 'graphql';
import { compileArguments } from './arguments';
import type { Path } from './path';
import type { InfoAt, Run } from './run';
import type { VariableValues } from './variables';

/** What is compiled. */
export interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Record<string, FragmentDefinitionNode>;
  /** The values of the variables that stand in @skip and @include: what is compiled holds for these. */
  readonly conditions: VariableValues;
  /** Told of every field that is compiled. */
  readonly onField: () => void;
}

export type Resolve = (run: Run, source: unknown, parent: Path | undefined) => unknown;

export const infoOf =
  (
    { schema, fragments, operation }: OperationParts,
    parentType: GraphQLObjectType,
    { name, type }: GraphQLField<unknown, unknown>,
    fieldNodes: readonly FieldNode[],
  ): InfoAt =>
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

/** The parameters of a resolver that looks at `info`. Most do not, and for them none is made. */
const withInfo = 4;

export function compileResolver(
  parts: OperationParts,
  type: GraphQLObjectType,
  definition: GraphQLField<unknown, unknown>,
  nodes: readonly FieldNode[],
  key: string,
): Resolve {
  if (definition === TypeNameMetaFieldDef) return () => type.name;
  const [node] = nodes;
  if (!node) throw new Error(`${key} is no field`);
  const argumentsOf = compileArguments(definition, node);
  const infoAt = infoOf(parts, type, definition, nodes);
  const at = (prev: Path | undefined): Path => ({ prev, key, typename: type.name });
  const resolve = definition.resolve ?? defaultFieldResolver;
  const inFull: Resolve = (run, source, parent) =>
    resolve(source, argumentsOf(run.variables), run.context, infoAt(run, at(parent)));
  if (resolve === defaultFieldResolver) return property(definition.name, inFull);
  if (resolve.length >= withInfo) return inFull;
  const short = resolve as (source: unknown, args: unknown, context: unknown) => unknown;
  return (run, source) => short(source, argumentsOf(run.variables), run.context);
}

/** A field without a resolver is a property of its object; where that is a method, it is called as graphql-js does. */
const property =
  (name: string, inFull: Resolve): Resolve =>
  (run, source, parent) => {
    if (typeof source !== 'object' || source === null) return inFull(run, source, parent);
    const value = (source as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'function' ? inFull(run, source, parent) : value;
  };
