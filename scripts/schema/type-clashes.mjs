import { Kind } from 'graphql';

/**
 * Lists the object types that two subgraphs define independently of each other: without a common
 * @key, and without @shareable in both. Each clash is `{ type, one, other }`. `other` is the
 * definition of the subgraph that is listed later.
 */
export function typeClashes(subgraphs) {
  const all = subgraphs.flatMap(({ name, typeDefs }) => definitions(name, typeDefs));
  return all.flatMap((other, index) => {
    const one = all.slice(0, index).find((each) => each.type === other.type && !isShared(each, other));
    return one ? [{ type: other.type, one, other }] : [];
  });
}

/** Lists the object types of a subgraph but the root types, each with its extensions. */
function definitions(subgraph, typeDefs) {
  const nodes = typeDefs.definitions.filter(
    ({ kind, name }) =>
      [Kind.OBJECT_TYPE_DEFINITION, Kind.OBJECT_TYPE_EXTENSION].includes(kind) &&
      !['Query', 'Mutation'].includes(name.value),
  );
  return [...new Set(nodes.map(({ name }) => name.value))].map((type) => {
    const own = nodes.filter(({ name }) => name.value === type);
    return { type, subgraph, node: own[0], keys: keysOf(own), isShareable: isShareable(own) };
  });
}

const isShared = (one, other) =>
  one.keys.some((key) => other.keys.includes(key)) || (one.isShareable && other.isShareable);

/** Lists the fields of each @key. The order of the fields in a key means nothing. */
const keysOf = (nodes) =>
  directivesOf(nodes, 'key')
    .map((key) => key.arguments.find(({ name }) => name.value === 'fields')?.value.value ?? '')
    .map((fields) => (fields.match(/\w+|[{}]/g) ?? []).sort().join(' '));

const isShareable = (nodes) =>
  directivesOf([...nodes, ...nodes.flatMap(({ fields }) => fields)], 'shareable').length > 0;

const directivesOf = (nodes, directive) =>
  nodes
    .flatMap(({ directives }) => directives)
    .filter(({ name }) => [directive, `federation__${directive}`].includes(name.value));
