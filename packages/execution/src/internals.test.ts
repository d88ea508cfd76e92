import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, GraphQLObjectType, getOperationAST, Kind, parse, versionInfo } from 'graphql';
import { collectFields, collectSubfields, getFieldDef } from './internals';
import { fragmentsByName } from './operation';

const schema = buildSchema('type Query { tree: Tree } type Tree { id: ID, name: String, parent: Tree }');
const document = parse(`
  query ($a: Boolean!) { first: tree { id ...T } ...Q tree @include(if: $a) { id } tree @skip(if: $a) { name } }
  fragment Q on Query { first: tree { parent { id } } } fragment T on Tree { name }`);

/** Returns the response keys with the number of field nodes under each key. */
const summarize = (fields: ReadonlyMap<string, readonly unknown[]>) =>
  [...fields].map(([key, nodes]) => [key, nodes.length]);

const typeNamed = (name: string): GraphQLObjectType => {
  const type = schema.getType(name);
  if (!(type instanceof GraphQLObjectType)) throw new Error(`${name} is not an object type`);
  return type;
};

test('the installed graphql-js is version 16.15 or a later 16.x, because Lectern imports its internal modules', () => {
  expect(versionInfo.major).toBe(16);
  expect(versionInfo.minor).toBeGreaterThanOrEqual(15);
  const { dependencies } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  expect(dependencies['graphql']).toBe('^16.15.0');
});

test('the internal functions collectFields and collectSubfields of graphql-js merge fragments and apply @skip and @include', () => {
  const operation = getOperationAST(document);
  if (!operation) throw new Error('the document has no operation');
  const collect = (a: boolean) =>
    collectFields(schema, fragmentsByName(document), { a }, typeNamed('Query'), operation.selectionSet);
  expect(summarize(collect(true))).toEqual([
    ['first', 2],
    ['tree', 1],
  ]);
  const fields = collect(false);
  expect(fields.get('tree')?.[0]?.selectionSet?.selections[0]).toMatchObject({ name: { value: 'name' } });
  const subfields = collectSubfields(
    schema,
    fragmentsByName(document),
    { a: true },
    typeNamed('Tree'),
    fields.get('first') ?? [],
  );
  expect(summarize(subfields)).toEqual([
    ['id', 1],
    ['name', 1],
    ['parent', 1],
  ]);
});

test('getFieldDef of graphql-js finds fields and introspection fields, and returns undefined for unknown names', () => {
  const definitionOf = (type: string, name: string) =>
    getFieldDef(schema, typeNamed(type), { kind: Kind.FIELD, name: { kind: Kind.NAME, value: name } })?.name;
  expect(definitionOf('Tree', 'name')).toBe('name');
  expect(definitionOf('Tree', '__typename')).toBe('__typename');
  expect(definitionOf('Query', '__schema')).toBe('__schema');
  expect(definitionOf('Query', 'nothing')).toBeUndefined();
});
