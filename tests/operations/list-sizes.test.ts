import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir, graphqlHeaders, readExamples, repositoryRoot, send, useStarted } from '@lectern/testing';
import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionSetNode,
  type TypeNode,
  valueFromASTUntyped,
} from 'graphql';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { repositorySubgraphs } from '../support/supergraph-yaml';
import { clientOperations, variables } from './client-operations';

const lectern = useStarted(async () => {
  const settings = readSettings({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings);
  const limits = { tokens: 5_000, depth: 100, complexity: 1_000_000 };
  return startEmbeddedLectern({
    limits,
    semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
  });
});

type Values = Readonly<Record<string, unknown>>;

const valuesOf = (nodes: readonly ArgumentNode[] = [], variableValues: Values = {}): Values =>
  Object.fromEntries(nodes.map(({ name, value }) => [name.value, valueFromASTUntyped(value, variableValues)]));

const isList = (type: TypeNode): boolean =>
  type.kind === Kind.LIST_TYPE || (type.kind === Kind.NON_NULL_TYPE && isList(type.type));

const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));

/** Reads the fields of all object types of the supergraph, with the standard directives of cost, by coordinate. */
function readFields() {
  const { definitions } = parse(readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8'));
  const argumentsOf = (directives: readonly DirectiveNode[] = [], name: string): Values | null => {
    const found = directives.find((directive) => directive.name.value === name);
    return found ? valuesOf(found.arguments) : null;
  };
  return new Map(
    definitions
      .filter((definition) => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      .flatMap((type) =>
        (type.fields ?? []).map(({ name, type: fieldType, directives }) => {
          const listSize = argumentsOf(directives, 'listSize') ?? {};
          const facts = {
            type: nameOf(fieldType),
            isList: isList(fieldType),
            weight: Number(argumentsOf(directives, 'cost')?.['weight'] ?? 0),
            assumedSize: listSize['assumedSize'] as number | undefined,
            slicing: [listSize['slicingArguments'] ?? []].flat() as string[],
            sizedFields: [listSize['sizedFields'] ?? []].flat() as string[],
          };
          return [`${type.name.value}.${name.value}` as string, facts] as const;
        }),
      ),
  );
}

const fields = readFields();
const objectTypes = new Set([...fields.keys()].map((coordinate) => coordinate.split('.')[0] ?? ''));
const sizedByParent = new Set(
  [...fields.values()].flatMap((field) => field.sizedFields.map((name) => `${field.type}.${name}`)),
);
const assumed = [...fields].filter(
  ([coordinate, field]) => field.isList && field.slicing.length === 0 && !sizedByParent.has(coordinate),
);

/** Returns the operation of this name, and the function that merges the fields of selection sets by response name. */
function openDocument(document: DocumentNode, operationName: string) {
  const fragments = new Map<string, SelectionSetNode>();
  let operation: OperationDefinitionNode | undefined;
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet);
    if (definition.kind === Kind.OPERATION_DEFINITION && (definition.name?.value ?? operationName) === operationName)
      operation = definition;
  }
  const merge = (
    sets: readonly (SelectionSetNode | undefined)[],
    merged = new Map<string, FieldNode[]>(),
  ): ReadonlyMap<string, FieldNode[]> => {
    for (const selection of sets.flatMap((set) => set?.selections ?? []))
      if (selection.kind === Kind.FIELD) {
        const name = (selection.alias ?? selection.name).value;
        merged.set(name, [...(merged.get(name) ?? []), selection]);
      } else
        merge(
          [selection.kind === Kind.INLINE_FRAGMENT ? selection.selectionSet : fragments.get(selection.name.value)],
          merged,
        );
    return merged;
  };
  return { operation, merge };
}

/** Records the length of each list of a response, by the coordinate of its field. */
function recordLengths(document: DocumentNode, name: string, data: unknown, lengths: Map<string, number[]>): void {
  const { operation, merge } = openDocument(document, name);
  const visit = (type: string, sets: readonly (SelectionSetNode | undefined)[], value: Values): void => {
    for (const [responseName, nodes] of merge(sets)) {
      const coordinate = `${type}.${nodes[0]?.name.value ?? ''}`;
      const field = fields.get(coordinate);
      const found = value[responseName];
      if (!field || found === null || found === undefined) continue;
      if (Array.isArray(found)) lengths.set(coordinate, [...(lengths.get(coordinate) ?? []), found.length]);
      if (objectTypes.has(field.type))
        for (const item of [found].flat())
          if (item !== null)
            visit(
              field.type,
              nodes.map((node) => node.selectionSet),
              item as Values,
            );
    }
  };
  visit('Query', [operation?.selectionSet], data as Values);
}

/**
 * Estimates the cost of an operation as the specification of `@cost` and `@listSize` does: an object costs 1, a scalar 0,
 * and the costs of an item count for each item. A list whose argument is absent counts as one item.
 */
function estimateCost(document: DocumentNode, name: string, variableValues: Values): number {
  const { operation, merge } = openDocument(document, name);
  const defaults = (operation?.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
    variable.name.value,
    defaultValue && valueFromASTUntyped(defaultValue),
  ]);
  const known: Values = { ...Object.fromEntries(defaults), ...variableValues };
  const costOf = (
    type: string,
    sets: readonly (SelectionSetNode | undefined)[],
    parent: [string[], number],
  ): number => {
    let cost = 0;
    for (const nodes of merge(sets).values()) {
      const fieldName = nodes[0]?.name.value ?? '';
      const field = fields.get(`${type}.${fieldName}`);
      if (!field) continue;
      const sent = valuesOf(nodes[0]?.arguments, known);
      const items = field.slicing.map((argument) => sent[argument]).find((value) => typeof value === 'number');
      const size = items ?? field.assumedSize ?? 1;
      const own = parent[0].includes(fieldName) ? parent[1] : field.sizedFields.length > 0 ? 1 : size;
      const inner = costOf(
        field.type,
        nodes.map((node) => node.selectionSet),
        [field.sizedFields, size],
      );
      cost += field.weight + own * ((objectTypes.has(field.type) ? 1 : 0) + inner);
    }
    return cost;
  };
  return costOf('Query', [operation?.selectionSet], [[], 1]);
}

test('each list has assumedSize of @listSize, unless an argument of it or of the field around it sets its length', () => {
  expect(assumed.filter(([, { assumedSize = 0 }]) => assumedSize < 1).map(([coordinate]) => coordinate)).toEqual([]);
});

test('the assumedSize of each list is within a factor of 4 of its mean length over the example operations', async () => {
  const lengths = new Map<string, number[]>();
  const examples = repositorySubgraphs.flatMap(({ folder }) =>
    readExamples(join(repositoryRoot, folder, 'examples.graphql')).map(({ name, query }) => ({
      name,
      document: query,
    })),
  );
  for (const { name, document } of [...clientOperations, ...examples]) {
    const { data } = await lectern.client(document, variables[name] ?? {}, name);
    recordLengths(parse(document), name, data, lengths);
  }
  const compared = assumed.flatMap(([coordinate, { assumedSize = 0 }]) => {
    const all = lengths.get(coordinate);
    if (!all) return [];
    const mean = Math.max(1, all.reduce((sum, length) => sum + length, 0) / all.length);
    return [{ coordinate, assumedSize, mean, factor: Math.max(mean / assumedSize, assumedSize / mean) }];
  });
  expect(compared.filter(({ factor }) => factor > 4)).toEqual([]);
  // The examples have no note with references, and too many verses for `Chapter.verses`.
  expect(compared.length).toBeGreaterThanOrEqual(assumed.length - 2);
});

test('docs/other-routers.md states the costs of the operations in tests/operations by Lectern, and by @cost and @listSize', async () => {
  const page = readFileSync(join(repositoryRoot, 'docs', 'other-routers.md'), 'utf8');
  const documented = [...page.matchAll(/^\| (\w+) \| (\d+) \| (\d+) \|$/gm)].map(([, ...cells]) => cells);
  const computed: string[][] = [];
  for (const { name, document } of clientOperations) {
    const body = JSON.stringify({ query: document, variables: variables[name], operationName: name });
    const headers = [...graphqlHeaders(lectern.token), 'Lectern-Report', 'cost'];
    const { json } = await send(lectern.url, { headers, body });
    const { complexity } = (json() as { extensions: { cost: { complexity: number } } }).extensions.cost;
    computed.push([name, String(complexity), String(estimateCost(parse(document), name, variables[name] ?? {}))]);
  }
  expect(documented).toEqual(computed);
});
