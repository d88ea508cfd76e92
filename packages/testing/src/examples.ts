import { readFileSync } from 'node:fs';
import type { GraphQLSchema } from 'graphql';
import {
  extendSchema,
  getNamedType,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';

export interface Example {
  name: string;
  query: string;
}

/** The operations of an examples.graphql, each with its name. */
export function readExamples(file: string): Example[] {
  return parse(readFileSync(file, 'utf8')).definitions.map((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION || !definition.name)
      throw new Error(`${file}: every example is an operation with a name`);
    return { name: definition.name.value, query: print(definition) };
  });
}

/** With the door that the text subgraph has to translations: examples of subgraphs that only extend Translation go through it. */
export function withTranslations(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(
    schema,
    parse('extend type Query { "One translation." translation("Its identifier." identifier: String!): Translation }'),
  );
  const field = extended.getQueryType()?.getFields()['translation'];
  if (field) field.resolve = (_, { identifier }: { identifier: string }) => ({ identifier });
  return extended;
}

/** Type.field of everything in the schema that no example asks for; what federation adds is left out. Throws for an example that does not fit the schema. */
export function fieldsWithoutExample(schema: GraphQLSchema, examples: readonly Example[]): string[] {
  const shown = new Set<string>();
  for (const { name, query } of examples) {
    const document = parse(query);
    const [fault] = validate(schema, document);
    if (fault) throw new Error(`${name}: ${fault.message}`);
    const info = new TypeInfo(schema);
    visit(
      document,
      visitWithTypeInfo(info, {
        Field: ({ name: field }) => void shown.add(`${getNamedType(info.getParentType())?.name}.${field.value}`),
      }),
    );
  }
  const all = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .filter((type) => !type.name.startsWith('_'))
    .flatMap((type) =>
      Object.keys(type.getFields())
        .filter((field) => !field.startsWith('_'))
        .map((field) => `${type.name}.${field}`),
    );
  return all.filter((field) => !shown.has(field));
}

/** Everything in the schema that has no description: types, fields, arguments, enum values, as Type.field(argument). */
export function undescribed(schema: GraphQLSchema): string[] {
  const missing: string[] = [];
  const note = (place: string, described: { description?: string | null | undefined }) => {
    if (!described.description) missing.push(place);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    // Root types are described by their fields, and underscores mark what GraphQL and federation add themselves.
    if (
      type.name.startsWith('_') ||
      ['String', 'Int', 'Float', 'Boolean', 'ID'].includes(type.name) ||
      type.name.includes('__')
    )
      continue;
    if (type !== schema.getQueryType()) note(type.name, type);
    if ('getValues' in type) for (const value of type.getValues()) note(`${type.name}.${value.name}`, value);
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields()).filter(({ name }) => !name.startsWith('_'))) {
      note(`${type.name}.${field.name}`, field);
      for (const argument of field.args) note(`${type.name}.${field.name}(${argument.name})`, argument);
    }
  }
  return missing;
}
