import { errors } from '@lectern/errors';
import type { FieldNode, GraphQLFormattedError, SelectionSetNode } from 'graphql';
import { Kind, parse } from 'graphql';
import type { SubgraphRequest, SubgraphResponse } from '../transport/subgraph-fetch-types';
import { representationsVariable } from './plan/fetch';

/**
 * Builds the response in place of an unavailable subgraph's response. The response has no data, and
 * an error SUBGRAPH_UNAVAILABLE at each field that is null for this reason.
 */
export function unavailableResponse({ query, variables }: SubgraphRequest): SubgraphResponse {
  const { message, extensions } = errors.subgraphUnavailable();
  const errorAt = (path: (string | number)[]): GraphQLFormattedError => ({ message, path, extensions });
  const rootFields = fieldsOfQuery(query);
  const representations = variables?.[representationsVariable];
  // The variable alone does not make a fetch of entities: a client may declare a variable
  // `representations` too, but cannot select `_entities`.
  if (!Array.isArray(representations) || rootFields[0]?.name.value !== '_entities')
    return { errors: rootFields.map((field) => errorAt([responseKey(field)])) };
  // A fetch of entities, `_entities { ... on Verse { words } }`: one entity per representation.
  const keys = new Set(rootFields.flatMap((field) => (field.selectionSet ? responseKeys(field.selectionSet) : [])));
  return { errors: representations.flatMap((_, index) => [...keys].map((key) => errorAt(['_entities', index, key]))) };
}

function fieldsOfQuery(query: string): FieldNode[] {
  for (const definition of parse(query, { noLocation: true }).definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) return fieldsOf(definition.selectionSet);
  }
  return [];
}

/**
 * Returns the fields of a selection set and of its inline fragments. The queries of plans have no
 * fragment spreads at this level.
 */
const fieldsOf = ({ selections }: SelectionSetNode): FieldNode[] =>
  selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection];
    return selection.kind === Kind.INLINE_FRAGMENT ? fieldsOf(selection.selectionSet) : [];
  });

const responseKey = (field: FieldNode): string => field.alias?.value ?? field.name.value;

const responseKeys = (set: SelectionSetNode): string[] =>
  fieldsOf(set)
    .map(responseKey)
    .filter((key) => key !== '__typename');
