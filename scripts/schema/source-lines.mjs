import { print } from 'graphql';

/** Maps each schema element to its lines and signatures, by path: `Verse`, `Verse.text`, `Query.verse.book`. */
function indexElements(subgraphs) {
  const elements = new Map();
  for (const { name, file, typeDefs } of subgraphs) {
    const add = (path, node, signature) =>
      elements.set(path, [
        ...(elements.get(path) ?? []),
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
  return elements;
}

/**
 * Formats types, arguments and defaults of an element.
 * Descriptions and directives are left out: a subgraph file and a supergraph print them differently.
 *
 * @param {{ type?: any, arguments?: any[], defaultValue?: any }} element
 */
function signatureOf({ type, arguments: argumentNodes = [], defaultValue }) {
  const argumentList = argumentNodes
    .map((argument) => `${argument.name.value}${signatureOf(argument)}`)
    .sort()
    .join();
  return `(${argumentList}):${type ? print(type) : ''}${defaultValue ? `=${print(defaultValue)}` : ''}`;
}

/** Lists a path and its parents, longest first: `Query.verse.book`, `Query.verse`, `Query`. */
const pathAndParents = (path) =>
  path.split('.').map((_, index, parts) => parts.slice(0, parts.length - index).join('.'));

/**
 * Creates a function that finds the lines of a changed element in the subgraphs' schema files. If
 * several subgraphs define the element, the function returns the lines of the changed definitions. If
 * the element was removed, it returns the line of the nearest parent that remains. The line is null
 * if no parent remains.
 */
export function createSourceLineFinder(subgraphs, subgraphsBefore) {
  const now = indexElements(subgraphs);
  const before = indexElements(subgraphsBefore);
  const fileBySubgraph = new Map(subgraphs.map(({ name, file }) => [name, file]));
  const signatureIn = (elements, path, subgraph) =>
    elements.get(path)?.find((element) => element.subgraph === subgraph)?.signature;

  const changedSubgraphs = (path) => {
    const names = [...(now.get(path) ?? []), ...(before.get(path) ?? [])].map(({ subgraph }) => subgraph);
    return subgraphsBefore.length === 0
      ? []
      : [...new Set(names)].filter((name) => signatureIn(now, path, name) !== signatureIn(before, path, name));
  };

  return (path) => {
    const changed = changedSubgraphs(path);
    for (const candidate of pathAndParents(path)) {
      const elements = now.get(candidate) ?? [];
      const places = elements.filter(({ subgraph }) => changed.length === 0 || changed.includes(subgraph));
      if (places.length > 0) return places.map(({ subgraph, file, line }) => ({ subgraph, file, line }));
    }
    return changed.map((subgraph) => ({ subgraph, file: fileBySubgraph.get(subgraph) ?? null, line: null }));
  };
}
