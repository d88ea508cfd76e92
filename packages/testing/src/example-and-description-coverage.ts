import { readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import { getNamedType, isObjectType, Kind, parse, print, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';

export interface Example {
  name: string;
  query: string;
}

/** Reads the operations of an examples.graphql file. Throws if one has no name. */
export function readExamples(file: string): Example[] {
  return parse(readFileSync(file, 'utf8')).definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name)
      throw new Error(`${file}: every example must be a named operation`);
    return { name: definition.name.value, query: print(definition) };
  });
}

/**
 * Lists the fields, as Type.field, that no example selects. Fields added by federation and
 * mutations are left out: no mutation is part of the supported API. Throws if an example is not
 * valid in the whole graph.
 */
export function fieldsWithoutExample(
  schema: GraphQLSchema,
  examples: readonly Example[],
  graph: GraphQLSchema,
): string[] {
  const selected = new Set<string>();
  for (const { name, query } of examples) {
    const document = parse(query);
    const [error] = validate(graph, document);
    if (error) throw new Error(`${name}: ${error.message}`);
    const info = new TypeInfo(graph);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field: ({ name: field }) => void selected.add(`${getNamedType(info.getParentType())?.name}.${field.value}`),
      }),
    );
  }
  const all = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('_') && type !== schema.getMutationType())
    .flatMap((type) =>
      Object.keys(type.getFields())
        .filter((field) => !field.startsWith('_'))
        .map((field) => `${type.name}.${field}`),
    );
  return all.filter((field) => !selected.has(field));
}

/**
 * Lists the elements of a schema without a description, as Type.field(argument): types, enum
 * values, and the fields of object and input types with their arguments.
 */
export function elementsWithoutDescription(schema: GraphQLSchema): string[] {
  const missing: string[] = [];
  const check = (name: string, element: { description?: string | null | undefined }) => {
    if (!element.description) missing.push(name);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    // Left out: built-in scalars, and the types of GraphQL and federation, whose names have
    // underscores.
    if (
      type.name.startsWith('_') ||
      ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name) ||
      type.name.includes('__')
    )
      continue;
    // The query type needs no description.
    if (type !== schema.getQueryType()) check(type.name, type);
    if ('getValues' in type) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (!('getFields' in type)) continue;
    for (const field of Object.values(type.getFields()).filter(({ name }) => !name.startsWith('_'))) {
      check(`${type.name}.${field.name}`, field);
      if (!('args' in field)) continue;
      for (const argument of field.args) check(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  return missing;
}
