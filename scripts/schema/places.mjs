import { print } from 'graphql';

/** Where each element stands and what it promises, by its path in the schema: `Verse`, `Verse.text`, `Query.verse.book`, `Testament.OLD`. */
function indexElements(subgraphs) {
  const places = new Map();
  for (const { name, file, typeDefs } of subgraphs) {
    const add = (path, node, signature) =>
      places.set(path, [
        ...(places.get(path) ?? []),
        { subgraph: name, file, line: node.name.loc.startToken.line, signature },
      ]);
    for (const definition of typeDefs.definitions) {
      if (!definition.name) continue;
      const owner = definition.kind === 'DirectiveDefinition' ? `@${definition.name.value}` : definition.name.value;
      add(owner, definition, definition.kind.replace('Extension', 'Definition'));
      for (const field of [...(definition.fields ?? []), ...(definition.values ?? [])]) {
        add(`${owner}.${field.name.value}`, field, signatureOf(field));
        for (const argument of field.arguments ?? [])
          add(`${owner}.${field.name.value}.${argument.name.value}`, argument, signatureOf(argument));
      }
    }
  }
  return places;
}

/** Types, arguments and defaults; neither descriptions nor directives, in which a subgraph and its print from a supergraph differ. */
function signatureOf({ type, arguments: taken = [], defaultValue }) {
  const inBrackets = taken
    .map((argument) => `${argument.name.value}${signatureOf(argument)}`)
    .sort()
    .join();
  return `(${inBrackets}):${type ? print(type) : ''}${defaultValue ? `=${print(defaultValue)}` : ''}`;
}

const parents = (path) => path.split('.').map((_, index, parts) => parts.slice(0, parts.length - index).join('.'));

/**
 * Finds the lines that a change comes from. Of a type that several subgraphs have, those whose part differs from before; of what is gone,
 * what it stood in. The line is null where not even that is left.
 */
export function createLocate(subgraphs, subgraphsBefore) {
  const now = indexElements(subgraphs);
  const before = indexElements(subgraphsBefore);
  const fileOf = new Map(subgraphs.map(({ name, file }) => [name, file]));
  const signature = (places, path, subgraph) =>
    places.get(path)?.find((place) => place.subgraph === subgraph)?.signature;

  const changedBy = (path) => {
    const names = [...(now.get(path) ?? []), ...(before.get(path) ?? [])].map(({ subgraph }) => subgraph);
    return subgraphsBefore.length === 0
      ? []
      : [...new Set(names)].filter((name) => signature(now, path, name) !== signature(before, path, name));
  };

  return (path) => {
    const changed = changedBy(path);
    for (const candidate of parents(path)) {
      const here = now.get(candidate) ?? [];
      const places = here.filter(({ subgraph }) => changed.length === 0 || changed.includes(subgraph));
      if (places.length > 0) return places.map(({ subgraph, file, line }) => ({ subgraph, file, line }));
    }
    return changed.map((subgraph) => ({ subgraph, file: fileOf.get(subgraph) ?? null, line: null }));
  };
}
