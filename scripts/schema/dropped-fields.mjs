import { operationFromDocument } from '@apollo/federation-internals';
import { QueryPlanner } from '@apollo/query-planner';
import { Kind, validate } from 'graphql';
import { readText } from '../command-line.mjs';
import { parseDocument } from './compose-subgraphs.mjs';

/**
 * Lists the shared fields that a subgraph no longer resolves, and the client operations that therefore need more fetches.
 * Compares with the first reference schema that has a supergraph. Both lists are empty if there is no
 * such schema.
 */
export function findDroppedFields(references, { subgraphs, supergraph }, files) {
  const before = references.find((reference) => reference.supergraph !== null);
  const fields = before ? droppedSharedFields(before.subgraphs, subgraphs) : [];
  // Planning the operations takes longer than the rest of the check.
  const operations = fields.length === 0 ? [] : operationsWithMoreFetches(files, before.supergraph, supergraph);
  return { fields, operations };
}

/**
 * Lists the fields that a subgraph resolved before and no longer resolves, while other subgraphs still do. Clients get
 * the same responses, but more fetches may be needed.
 *
 * @returns {{ path: string, subgraph: string, others: string[] }[]}
 */
function droppedSharedFields(subgraphsBefore, subgraphs) {
  const now = new Map(subgraphs.map(({ name, typeDefs }) => [name, resolvedFields(typeDefs)]));
  return subgraphsBefore.flatMap(({ name, typeDefs }) =>
    [...resolvedFields(typeDefs)]
      .filter((path) => !now.get(name)?.has(path))
      .map((path) => ({ path, subgraph: name, others: subgraphs.map((each) => each.name) }))
      .map((field) => ({ ...field, others: field.others.filter((other) => now.get(other)?.has(field.path)) }))
      .filter(({ others }) => others.length > 0),
  );
}

/** Returns the paths of the fields that a subgraph resolves, such as `Verse.text`. An external field belongs to another subgraph. */
const resolvedFields = (typeDefs) =>
  new Set(
    typeDefs.definitions
      .filter(({ kind }) => kind.startsWith('ObjectType') || kind.startsWith('InterfaceType'))
      .flatMap(({ name, fields = [] }) =>
        fields
          .filter(({ directives = [] }) => !directives.some((directive) => directive.name.value === 'external'))
          .map((field) => `${name.value}.${field.name.value}`),
      ),
  );

/**
 * Plans the operations of clients for two supergraphs and lists those that need more fetches in the second.
 *
 * @returns {{ file: string, line: number, operation: string | null, before: number, now: number }[]}
 */
function operationsWithMoreFetches(files, supergraphBefore, supergraph) {
  const [countBefore, countNow] = [createFetchCounter(supergraphBefore), createFetchCounter(supergraph)];
  return files.flatMap((file) => {
    const document = parseDocument(readText(file), file);
    return document.definitions
      .flatMap((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? [definition] : []))
      .map(({ name, loc }) => ({
        file,
        line: loc?.startToken.line ?? 1,
        operation: name?.value ?? null,
        before: countBefore(document, name?.value),
        now: countNow(document, name?.value),
      }))
      .filter(({ before, now }) => before !== null && now !== null && now > before);
  });
}

/** Creates a function that returns the number of fetches of an operation, or null if the schema does not support its document. */
function createFetchCounter(supergraph) {
  const planner = new QueryPlanner(supergraph);
  const apiSchema = supergraph.apiSchema();
  const graphqlSchema = apiSchema.toGraphQLJSSchema();
  return (document, operationName) => {
    if (validate(graphqlSchema, document).length > 0) return null;
    return countFetches(planner.buildQueryPlan(operationFromDocument(apiSchema, document, { operationName })).node);
  };
}

/** Counts the fetches of a plan node and of the nodes in it. */
function countFetches(node) {
  if (!node) return 0;
  const inside = [...(node.nodes ?? []), node.node, node.ifClause, node.elseClause].filter(Boolean);
  return inside.reduce((sum, each) => sum + countFetches(each), node.kind === 'Fetch' ? 1 : 0);
}
