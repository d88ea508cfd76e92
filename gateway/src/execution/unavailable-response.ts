import { errors } from '@lectern/errors';
import type { FieldNode, GraphQLFormattedError, SelectionSetNode } from 'graphql';
import { Kind, parse } from 'graphql';
import type { SubgraphRequest, SubgraphResponse } from '../transport/subgraph-fetch';

/**
 * The answer in place of one that did not come: no data, and an error at every field that is null because of it, so that
 * a client never sees a null of this kind without its reason.
 */
export function unavailableAnswer({ query, variables }: SubgraphRequest): SubgraphResponse {
  const error = errors.subgraphUnavailable();
  const at = (path: (string | number)[]): GraphQLFormattedError => ({
    message: error.message,
    path,
    extensions: error.extensions,
  });
  const root = rootFields(query);
  const representations = variables?.['representations'];
  // A client may call a variable of its own so, but cannot ask for entities.
  if (!Array.isArray(representations) || root[0]?.name.value !== '_entities')
    return { errors: root.map((field) => at([responseKey(field)])) };
  // An entity fetch: `_entities { ... on Verse { words } }`, one entity a representation.
  const keys = new Set(root.flatMap((field) => (field.selectionSet ? fieldKeys(field.selectionSet) : [])));
  return { errors: representations.flatMap((_, index) => [...keys].map((key) => at(['_entities', index, key]))) };
}

function rootFields(query: string): FieldNode[] {
  for (const definition of parse(query, { noLocation: true }).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) return fields(definition.selectionSet);
  }
  return [];
}

// Plans have inline fragments but no named ones at this level.
const fields = (set: SelectionSetNode): FieldNode[] =>
  set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? fields(selection.selectionSet) : [];
  });

const responseKey = (field: FieldNode): string => field.alias?.value ?? field.name.value;
const fieldKeys = (set: SelectionSetNode): string[] =>
  fields(set)
    .map(responseKey)
    .filter((key) => key !== '__typename');
