import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { elementsWithoutDescription, repositoryRoot } from '@lectern/testing';
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

/**
 * Describes each element of a schema in one string: scalars, enum values, fields with their type,
 * and arguments with their type and default.
 */
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

test('the schema that a standard introspection query returns contains every element of contract.graphql unchanged', () => {
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

test('every type except Query, and every field, argument and enum value of the public schema has a description', () => {
  expect(elementsWithoutDescription(served)).toEqual([]);
});

test('the supergraph keeps the directive @fieldCost of the field Chapter.verses, because the gateway computes costs from it', () => {
  const supergraph = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
  const [chapter = ''] = /^type Chapter\b[^]*?^\}/m.exec(supergraph) ?? [];
  expect(chapter).toMatch(/^ {2}verses: \[Verse!\]! @fieldCost\(base: 300\)/m);
});
