import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { ConstDirectiveNode, FieldDefinitionNode, TypeNode } from 'graphql';
import { Kind, parse, valueFromASTUntyped } from 'graphql';

const supergraph = parse(readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8'));

interface FieldCosts {
  readonly coordinate: string;
  readonly isList: boolean;
  readonly isConnection: boolean;
  readonly fieldCost: Record<string, unknown> | null;
  readonly cost: Record<string, unknown> | null;
  readonly listSize: Record<string, unknown> | null;
}

const argumentsOf = (directive: ConstDirectiveNode | undefined): Record<string, unknown> | null =>
  directive
    ? Object.fromEntries((directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]))
    : null;

const isList = (type: TypeNode): boolean =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));
const namedType = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type));

const objectTypes = supergraph.definitions.filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION);
const fieldsOf = (name: string): readonly FieldDefinitionNode[] =>
  objectTypes.find((type) => type.name.value === name)?.fields ?? [];

const fields: readonly FieldCosts[] = objectTypes.flatMap(({ name: type, fields: definitions = [] }) =>
  definitions.map(({ name, type: fieldType, directives = [] }) => {
    const find = (directive: string) => argumentsOf(directives.find((each) => each.name.value === directive));
    return {
      coordinate: `${type.value}.${name.value}`,
      isList: isList(fieldType),
      isConnection: fieldsOf(namedType(fieldType)).some((field) => field.name.value === 'edges'),
      fieldCost: find('fieldCost'),
      cost: find('cost'),
      listSize: find('listSize'),
    };
  }),
);

/**
 * Returns the arguments of @cost and @listSize (IBM's cost directives) that come closest to the
 * @fieldCost of the field. Returns null for a directive that the field must not have. Of a list without an argument for
 * its length, tests/operations/list-sizes.test.ts tests the assumedSize.
 */
function standardCostOf({ coordinate, fieldCost, isList, isConnection, listSize }: FieldCosts) {
  const cost = fieldCost === null ? null : { weight: fieldCost['base'] ?? 1 };
  const perItem = fieldCost?.['perItem'];
  if (perItem !== undefined) {
    const sizedFields = isConnection ? { sizedFields: ['edges'] } : {};
    return { cost, listSize: { slicingArguments: [perItem], ...sizedFields, requireOneSlicingArgument: false } };
  }
  const isSized = isList && !coordinate.endsWith('.edges');
  return { cost, listSize: isSized ? { assumedSize: listSize?.['assumedSize'] } : null };
}

test('every field with @fieldCost has the standard directive @cost with the same base, and every list has @listSize', () => {
  const declared = fields.map(({ coordinate, cost, listSize }) => ({ coordinate, cost, listSize }));
  expect(declared).toEqual(fields.map((field) => ({ coordinate: field.coordinate, ...standardCostOf(field) })));
  expect(fields.filter(({ cost }) => cost !== null).length).toBeGreaterThan(0);
});

test('docs/other-routers.md lists the fields whose cost the standard directives @cost and @listSize cannot express', () => {
  const section = readFileSync(join(repositoryRoot, 'docs', 'other-routers.md'), 'utf8').split('## Cost')[1] ?? '';
  const listed = [...section.matchAll(/^\| `([A-Za-z.]+)` \|/gm)].map(([, coordinate]) => coordinate);
  expect(listed).toEqual(
    fields.filter(({ fieldCost }) => fieldCost?.['perItem'] !== undefined).map(({ coordinate }) => coordinate),
  );
});
