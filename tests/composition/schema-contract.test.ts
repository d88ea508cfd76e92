import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { GraphQLSchema, IntrospectionQuery } from 'graphql';
import { buildClientSchema, buildSchema, getIntrospectionQuery, isEnumType, isObjectType } from 'graphql';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

let lectern: EmbeddedLectern;
let served: GraphQLSchema;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
  const { data } = await lectern.client(getIntrospectionQuery());
  served = buildClientSchema(data as unknown as IntrospectionQuery);
});
afterAll(() => lectern.close());

const promised = buildSchema(readFileSync(join(repositoryRoot, 'tests/contract.graphql'), 'utf8'));

/** Lists the elements of a schema, one per line: fields and arguments with type and default, and enum values. */
function elements(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap())
    .filter((type) => !type.name.startsWith('__'))
    .flatMap((type) => {
      if (isEnumType(type)) return type.getValues().map((value) => `enum ${type.name}.${value.name}`);
      if (!isObjectType(type)) return [`scalar ${type.name}`];
      return Object.values(type.getFields()).flatMap((field) => [
        `${type.name}.${field.name}: ${String(field.type)}`,
        ...field.args.map(
          (argument) =>
            `${type.name}.${field.name}(${argument.name}: ${String(argument.type)} = ${JSON.stringify(argument.defaultValue)})`,
        ),
      ]);
    });
}

test('the standard introspection query returns every element of contract.graphql, unchanged', () => {
  const servedElements = new Set(elements(served));
  expect(elements(promised).filter((element) => !servedElements.has(element))).toEqual([]);
});

test('the public schema has no federation types and no cost directive', () => {
  expect(
    Object.keys(served.getTypeMap()).filter((name) => /^_|join__|link__/.test(name) && !name.startsWith('__')),
  ).toEqual([]);
  expect(
    served
      .getDirectives()
      .map((directive) => directive.name)
      .sort(),
  ).toEqual(['deprecated', 'include', 'oneOf', 'skip', 'specifiedBy']);
  expect(served.getQueryType()?.getFields()).not.toHaveProperty('_service');
});

test('every type, field, argument and enum value below the type Query of the public schema has a description', () => {
  const bare = Object.values(served.getTypeMap())
    .filter((type) => !type.name.startsWith('__') && type !== served.getQueryType())
    .flatMap((type) => [
      ...(type.description ? [] : [type.name]),
      ...(isObjectType(type)
        ? Object.values(type.getFields()).flatMap((field) =>
            [
              field.description ? [] : [`${type.name}.${field.name}`],
              field.args
                .filter((argument) => !argument.description)
                .map((argument) => `${type.name}.${field.name}(${argument.name})`),
            ].flat(),
          )
        : []),
      ...(isEnumType(type)
        ? type
            .getValues()
            .filter((value) => !value.description)
            .map((value) => `${type.name}.${value.name}`)
        : []),
    ]);
  expect(bare).toEqual([]);
});

test('the supergraph keeps the directive @fieldCost(base: 300) of a list field verses, from which the gateway computes costs', () => {
  expect(readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8')).toMatch(
    /verses: \[Verse!\]! @fieldCost\(base: 300\)/,
  );
});
