import { Kind } from 'graphql';

/**
 * Lists the object types that two subgraphs define independently of each other: without a common
 * @key, and without @shareable in both. Each clash is `{ type, one, other }`. `other` is listed later.
 * `one` is the earlier definition with the most fields: the owner of an entity, not a reference to it.
 */
export function typeClashes(subgraphs) {
  const all = subgraphs.flatMap(({ name, typeDefs }) => definitions(name, typeDefs));
  return all.flatMap((other, index) => {
    const [one] = all
      .slice(0, index)
      .filter((each) => each.type === other.type && !isShared(each, other))
      .sort((a, b) => b.fields.length - a.fields.length);
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
    const fields = own.flatMap((node) => node.fields);
    const isShareable = directivesOf([...own, ...fields], 'shareable').length > 0;
    return { type, subgraph, node: own[0], fields, keys: keysOf(own), isShareable };
  });
}

const isShared = (one, other) =>
  one.keys.some((key) => other.keys.includes(key)) || (one.isShareable && other.isShareable);

/** Lists the fields of each @key. The order of the fields in a key means nothing. */
const keysOf = (nodes) =>
  directivesOf(nodes, 'key')
    .map((key) => key.arguments.find(({ name }) => name.value === 'fields')?.value.value ?? '')
    .map((fields) => (fields.match(/\w+|[{}]/g) ?? []).sort().join(' '));

const directivesOf = (nodes, directive) =>
  nodes
    .flatMap(({ directives }) => directives)
    .filter(({ name }) => [directive, `federation__${directive}`].includes(name.value));
