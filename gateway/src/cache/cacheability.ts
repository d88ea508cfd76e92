import { type DocumentNode, type GraphQLSchema, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { type ChosenOperation, variableNames } from '../execution/chosen-operation';
import { readDirectives } from '../supergraph/directives';

/**
 * The fields that declare `@cacheControl(maxAge: 0)`, by `Type.field`. Their values may differ from
 * request to request. With a value for the argument `unlessArgument`, the field is cacheable. If
 * `unlessArgument` is null, the field is never cacheable.
 */
export type UncacheableFields = ReadonlyMap<string, { unlessArgument: string | null }>;

export const readUncacheableFields = (supergraph: DocumentNode): UncacheableFields =>
  new Map(
    [...readDirectives(supergraph, 'https://lectern.example/cache/', 'cacheControl')]
      .filter(([, { maxAge }]) => maxAge === 0)
      .map(([field, { unlessArgument }]) => [
        field,
        { unlessArgument: typeof unlessArgument === 'string' ? unlessArgument : null },
      ]),
  );

export type Cacheability =
  | { readonly kind: 'uncacheable' }
  | {
      readonly kind: 'cacheable';
      /** The response is cacheable only if these variables have a value other than null. */
      readonly requiredVariables: readonly string[];
      readonly variables: readonly string[];
    };

/**
 * Finds out whether responses to an operation are cacheable. Reads the whole document: an unused fragment may make a
 * cacheable response uncacheable, which only costs cache hits.
 */
export function findCacheability(
  schema: GraphQLSchema,
  uncacheableFields: UncacheableFields,
  { document, definition }: ChosenOperation,
): Cacheability {
  const requiredVariables = new Set<string>();
  let isCacheable = definition.operation === 'query';
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const field = uncacheableFields.get(`${types.getParentType()?.name ?? ''}.${node.name.value}`);
        if (!field) return;
        const value = node.arguments?.find(({ name }) => name.value === field.unlessArgument)?.value;
        if (value?.kind === Kind.VARIABLE) requiredVariables.add(value.name.value);
        else if (!value || value.kind === Kind.NULL) isCacheable = false;
      },
    }),
  );
  if (!isCacheable) return { kind: 'uncacheable' };
  return { kind: 'cacheable', requiredVariables: [...requiredVariables], variables: variableNames(definition) };
}
