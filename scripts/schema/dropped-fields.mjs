/**
 * Lists the shared fields that a subgraph resolved in the first reference schema that has a supergraph, and no longer
 * resolves, while other subgraphs still do. Clients get the same responses, but more fetches may be needed.
 *
 * @returns {{ path: string, subgraph: string, others: string[] }[]}
 */
export function findDroppedFields(references, subgraphs) {
  const before = references.find((reference) => reference.supergraph !== null)?.subgraphs ?? [];
  const now = new Map(subgraphs.map(({ name, typeDefs }) => [name, resolvedFields(typeDefs)]));
  return before.flatMap(({ name, typeDefs }) =>
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
