import type { ArgumentNode, DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { readFieldDirectives } from '../supergraph/directives';

const cacheControl = { specification: 'https://lectern.example/cache/', name: 'cacheControl' };

/**
 * The fields that declare `@cacheControl(maxAge: 0)`, by `Type.field`. Their values may differ from
 * request to request. `unlessArgument` names an argument of the field: with a value for this
 * argument the field is cacheable. If `unlessArgument` is null, the field is never cacheable.
 */
export type UncacheableFields = ReadonlyMap<string, { unlessArgument: string | null }>;

export const readUncacheableFields = (supergraph: DocumentNode): UncacheableFields =>
  new Map(
    [...readFieldDirectives(supergraph, cacheControl)].flatMap(([field, { maxAge, unlessArgument }]) =>
      maxAge === 0
        ? [[field, { unlessArgument: typeof unlessArgument === 'string' ? unlessArgument : null }] as const]
        : [],
    ),
  );

/** Whether the responses to an operation may be cached. */
export type Cacheability =
  | { readonly kind: 'uncacheable' }
  | {
      readonly kind: 'cacheable';
      /** The response is cacheable only if these variables have a value other than null. */
      readonly requiredVariables: readonly string[];
      /** The variables that the operation declares. */
      readonly variables: readonly string[];
    };

/**
 * Finds whether the responses to an operation may be cached. Reads the whole document: an
 * uncacheable field in an unused fragment or another operation also makes the operation
 * uncacheable. This costs cache hits, but never makes an uncacheable response cacheable.
 */
export function findCacheability(
  schema: GraphQLSchema,
  uncacheableFields: UncacheableFields,
  document: DocumentNode,
  { operation, variableDefinitions = [] }: OperationDefinitionNode,
): Cacheability {
  if (operation !== 'query') return { kind: 'uncacheable' };
  const requiredVariables = new Set<string>();
  let isCacheable = true;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const field = uncacheableFields.get(`${types.getParentType()?.name ?? ''}.${node.name.value}`);
        if (!field) return;
        const argument = node.arguments?.find(({ name }) => name.value === field.unlessArgument);
        const variable = argument && variableOf(argument);
        if (variable !== undefined) requiredVariables.add(variable);
        else if (!argument || argument.value.kind === Kind.NULL) isCacheable = false;
      },
    }),
  );
  if (!isCacheable) return { kind: 'uncacheable' };
  return {
    kind: 'cacheable',
    requiredVariables: [...requiredVariables],
    variables: variableDefinitions.map(({ variable }) => variable.name.value),
  };
}

const variableOf = ({ value }: ArgumentNode): string | undefined =>
  value.kind === Kind.VARIABLE ? value.name.value : undefined;
