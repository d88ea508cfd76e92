import { fragmentsByName, getFieldDef } from '@lectern/execution';
import type { FieldCost } from '@lectern/site';
import type {
  DocumentNode,
  FieldNode,
  GraphQLNamedType,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { getNamedType, isInterfaceType, isObjectType, Kind, valueFromASTUntyped } from 'graphql';
import { defaultCost } from './field-costs';
import type { CountVerses } from './verse-count';

type Variables = Readonly<Record<string, unknown>>;

/** What the cost of an operation depends on. */
interface CostRequest {
  readonly variables: Variables;
  readonly countVerses: CountVerses;
}

type ReadArgument = (request: CostRequest) => unknown;

/** A cost: a constant, or a function of the request. */
type Cost = number | ((request: CostRequest) => number);

/** What fields cost, as the supergraph declares it. */
export interface DeclaredCosts {
  /** By `Type.field`. */
  readonly fieldCosts: ReadonlyMap<string, FieldCost>;
  /** The coordinates of the fields that have an item for each verse that a field above names. */
  readonly sizedFields: ReadonlySet<string>;
}

export interface QueryLimits {
  tokens: number;
  depth: number;
  /** The maximum cost. */
  complexity: number;
}

export interface OperationCost {
  readonly complexity: number;
  readonly maxComplexity: number;
  readonly depth: number;
  readonly maxDepth: number;
}

/** All numbers are those of the operation with its fragments expanded. */
export interface OperationSize {
  /** The maximum depth of a field. A field at the top of the operation has depth 1. */
  depth: number;
  /** Selections with @skip or @include. The planner plans both cases of each. */
  conditions: number;
  /** Without `__typename` that has no alias. The planner visits each field, whatever it costs. */
  fields: number;
  /** All fields, inline fragments and fragment spreads. */
  selections: number;
  cost(variables: Variables): number;
}

interface PartSize extends Omit<OperationSize, 'cost'> {
  cost: Cost;
  /** The part of the cost that the field around this part multiplies by its number of verses. */
  perVerse: Cost;
}

const noRequest: CostRequest = { variables: {}, countVerses: () => 0 };

const zeroSize: PartSize = { depth: 0, conditions: 0, fields: 0, selections: 0, cost: 0, perVerse: 0 };

/**
 * Measures an operation of a valid document. Each fragment is measured once, however often the
 * operation spreads it, so the time is linear in the document's length.
 */
export function measureOperation(
  schema: GraphQLSchema,
  { fieldCosts, sizedFields }: DeclaredCosts,
  createCounter: () => CountVerses,
  document: DocumentNode,
  { operation, selectionSet, variableDefinitions = [] }: OperationDefinitionNode,
): OperationSize {
  const fragments = fragmentsByName(document);
  const measured = new Map<string, PartSize>();
  const variableDefaults: Variables = Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

  const measureFragment = (name: string): PartSize => {
    const known = measured.get(name);
    if (known) return known;
    const definition = fragments[name];
    if (!definition) return zeroSize;
    const part = measureSelection(definition.selectionSet, schema.getType(definition.typeCondition.name.value));
    const size = { ...part, cost: memoizePerRequest(part.cost), perVerse: memoizePerRequest(part.perVerse) };
    measured.set(name, size);
    return size;
  };

  const measureNode = (node: SelectionNode, parent: GraphQLNamedType | undefined): PartSize => {
    if (node.kind === Kind.FIELD) return measureField(node, parent);
    if (node.kind === Kind.FRAGMENT_SPREAD) return measureFragment(node.name.value);
    const { typeCondition } = node;
    return measureSelection(node.selectionSet, typeCondition ? schema.getType(typeCondition.name.value) : parent);
  };

  const measureSelection = (set: SelectionSetNode, parent: GraphQLNamedType | undefined): PartSize => {
    const size = { ...zeroSize };
    const costs: Cost[] = [];
    const costsPerVerse: Cost[] = [];
    for (const node of set.selections) {
      const part = measureNode(node, parent);
      size.depth = Math.max(size.depth, part.depth);
      size.conditions += part.conditions + (isConditional(node) ? 1 : 0);
      size.fields += part.fields;
      size.selections += 1 + part.selections;
      costs.push(part.cost);
      costsPerVerse.push(part.perVerse);
    }
    return { ...size, cost: sum(costs), perVerse: sum(costsPerVerse) };
  };

  const measureField = (node: FieldNode, parent: GraphQLNamedType | undefined): PartSize => {
    const name = node.name.value;
    if (name === '__typename') {
      // `__typename` without an alias is free, because clients add it to each selection.
      const count = node.alias ? 1 : 0;
      return { ...zeroSize, depth: 1, fields: count, cost: count };
    }
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    // The type of `getFieldDef` does not say that it also takes interfaces.
    const definition = hasFields ? getFieldDef(schema, parent as GraphQLObjectType, node) : null;
    const inside = node.selectionSet
      ? measureSelection(node.selectionSet, definition ? getNamedType(definition.type) : undefined)
      : zeroSize;
    const coordinate = `${parent?.name ?? ''}.${name}`;
    const declared = fieldCosts.get(coordinate) ?? defaultCost;
    const argumentOf = (argument: string): { read: ReadArgument; isConstant: boolean } => {
      const value = node.arguments?.find((each) => each.name.value === argument)?.value;
      // For null the resolvers use the argument's default.
      const byDefault = definition?.args.find((each) => each.name === argument)?.defaultValue;
      return { read: readArgument(value, byDefault, variableDefaults), isConstant: value?.kind !== Kind.VARIABLE };
    };
    return {
      ...inside,
      depth: 1 + inside.depth,
      fields: 1 + inside.fields,
      cost: costOf(declared, inside, argumentOf),
      perVerse: sizedFields.has(coordinate) ? inside.cost || 1 : 0,
    };
  };

  const { cost, perVerse: _, ...size } = measureSelection(selectionSet, schema.getRootType(operation) ?? undefined);
  return {
    ...size,
    cost: (variables) => valueOf(cost, { variables: { ...variables }, countVerses: createCounter() }),
  };
}

/** Returns the cost of a field with this selection. */
function costOf(
  { base, items, perItem, verses, sizedFields, divide, max }: FieldCost,
  { cost, perVerse }: PartSize,
  argumentOf: (name: string) => { read: ReadArgument; isConstant: boolean },
): Cost {
  if (perItem !== null) {
    const { read, isConstant } = argumentOf(perItem);
    const total = (request: CostRequest): number =>
      Math.max(base, Math.floor((clampItems(read(request), max) * valueOf(cost, request)) / divide));
    return isConstant && typeof cost === 'number' ? total(noRequest) : total;
  }
  if (verses.length === 0)
    return typeof cost === 'number' ? base + items * cost : (request) => base + items * cost(request);
  const named = verses.map((argument) => argumentOf(argument).read);
  const repeated = sizedFields.length > 0 ? perVerse : cost;
  // A selection without such fields needs no count, which takes time.
  if (repeated === 0) return sum([base, cost]);
  return (request) => {
    const each = valueOf(repeated, request);
    const values = named.map((read) => read(request));
    const count = Math.min(countNamed(values, request.countVerses), max);
    return base + valueOf(cost, request) + Math.max(0, Math.floor((count * each) / divide) - each);
  };
}

/**
 * The number of items is between 1 and `max`. It is `max` without a value, and for a value that is
 * not a number: variable coercion rejects the value later.
 */
const clampItems = (value: unknown, max: number): number =>
  typeof value === 'number' ? Math.min(Math.max(Math.trunc(value), 1), max) : max;

/** The values name verses by a list of ids, a reference, or a book and a chapter. */
function countNamed(values: readonly unknown[], countVerses: CountVerses): number {
  const [list] = values;
  if (Array.isArray(list)) return list.length;
  // Variable coercion rejects other values later.
  return countVerses(values.filter((value) => typeof value === 'string' || typeof value === 'number').join(' '));
}

/** Reads the value of an argument, or its default for null and without a value. */
function readArgument(value: ValueNode | undefined, byDefault: unknown, variableDefaults: Variables): ReadArgument {
  if (!value) return () => byDefault;
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    return ({ variables }) => (Object.hasOwn(variables, name) ? variables[name] : variableDefaults[name]) ?? byDefault;
  }
  const constant = valueFromASTUntyped(value) ?? byDefault;
  return () => constant;
}

/**
 * Evaluates the cost once per request: fragments that spread each other twice would otherwise
 * double the work at each level.
 */
function memoizePerRequest(cost: Cost): Cost {
  if (typeof cost === 'number') return cost;
  const values = new WeakMap<CostRequest, number>();
  return (request) => {
    const known = values.get(request) ?? cost(request);
    values.set(request, known);
    return known;
  };
}

const isConditional = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name }) => name.value === 'skip' || name.value === 'include');

const valueOf = (cost: Cost, request: CostRequest): number => (typeof cost === 'number' ? cost : cost(request));

function sum(costs: readonly Cost[]): Cost {
  const constant = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const variable = costs.filter((cost) => typeof cost === 'function');
  if (variable.length === 0) return constant;
  return (request) => variable.reduce((total, cost) => total + cost(request), constant);
}
