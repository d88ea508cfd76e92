import type { ArgumentNode, DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { declaredOn } from '../supergraph/field-directives';

const directive = { specification: 'https://lectern.example/answer/', name: 'volatile' };

/** Fields whose answer may differ from one call to the next, by `Type.field`; with the argument that, when it is given, keeps it the same. */
export type VolatileFields = ReadonlyMap<string, { unless: string | null }>;

export const volatileFieldsOf = (supergraph: DocumentNode): VolatileFields =>
  new Map(
    [...declaredOn(supergraph, directive)].map(([field, { unless }]) => [
      field,
      { unless: typeof unless === 'string' ? unless : null },
    ]),
  );

/** Whether an operation's answer stays the same: null for never, else when these variables are given and not null. */
export type Steadiness = { readonly needs: readonly string[] } | null;

/** What hangs on the document alone, so it is found out once a document. Fragments that are not used count too, which costs a miss and no harm. */
export function steadinessOf(
  schema: GraphQLSchema,
  volatileFields: VolatileFields,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): Steadiness {
  if (operation.operation !== 'query') return null;
  const needs = new Set<string>();
  let steady = true;
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const found = volatileFields.get(`${types.getParentType()?.name ?? ''}.${node.name.value}`);
        if (!found) return;
        const given = node.arguments?.find(({ name }) => name.value === found.unless);
        const name = given && variableOf(given);
        if (name !== undefined) needs.add(name);
        else if (!given || given.value.kind === Kind.NULL) steady = false;
      },
    }),
  );
  return steady ? { needs: [...needs] } : null;
}

const variableOf = ({ value }: ArgumentNode): string | undefined =>
  value.kind === Kind.VARIABLE ? value.name.value : undefined;
