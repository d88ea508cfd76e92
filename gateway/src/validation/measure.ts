import { fragmentsByName, getFieldDef } from '@lectern/execution';
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
import { type ArgumentCost, type CountVerses, defaultCost, type FieldCost } from './field-costs';

type Variables = Readonly<Record<string, unknown>>;

/** The parts of a request on which the cost of its operation depends. */
interface CostRequest {
  readonly variables: Variables;
  readonly countVerses: CountVerses;
}

type ReadArgument = (request: CostRequest) => unknown;

/** The costs of a part of an operation, such as a field with its selection. */
interface Costs {
  readonly all: number;
  /** The part of `all` that the `divide` of an outer list's `@fieldCost` does not divide. */
  readonly undivided: number;
  /** The part of `all` that the outer field multiplies by its number of verses. */
  readonly perVerse: number;
  readonly undividedPerVerse: number;
}

/** A constant cost, or a function of the request if the cost depends on variables. */
type Cost = Costs | ((request: CostRequest) => Costs);

/** The costs that the supergraph declares. */
export interface DeclaredCosts {
  /** The costs of fields, by `Type.field`. */
  readonly fieldCosts: ReadonlyMap<string, FieldCost>;
  /** The coordinates of the fields that have one item for each verse that an outer field names. */
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

/** The size of an operation. All numbers count the operation with its fragments expanded. */
export interface OperationSize {
  /** The maximum depth of a field. A field at the top of the operation has depth 1. */
  depth: number;
  /** The number of selections with @skip or @include. Each doubles the number of cases that are planned. */
  conditions: number;
  /** The number of fields, without `__typename` that has no alias. Planning takes time for each field. */
  fields: number;
  /** The number of fields, inline fragments and fragment spreads. */
  selections: number;
  cost(variables: Variables): number;
}

interface PartSize extends Omit<OperationSize, 'cost'> {
  cost: Cost;
}

const noRequest: CostRequest = { variables: {}, countVerses: () => 0 };

const zeroCosts: Costs = { all: 0, undivided: 0, perVerse: 0, undividedPerVerse: 0 };
const zeroSize: PartSize = { depth: 0, conditions: 0, fields: 0, selections: 0, cost: zeroCosts };

/** Measures an operation of a valid document. Each fragment is measured once, so the time is linear. */
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
    const size = { ...part, cost: memoizePerRequest(part.cost) };
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
    for (const node of set.selections) {
      const part = measureNode(node, parent);
      size.depth = Math.max(size.depth, part.depth);
      size.conditions += part.conditions + (isConditional(node) ? 1 : 0);
      size.fields += part.fields;
      size.selections += 1 + part.selections;
      costs.push(part.cost);
    }
    return { ...size, cost: sum(costs) };
  };

  const measureField = (node: FieldNode, parent: GraphQLNamedType | undefined): PartSize => {
    const name = node.name.value;
    if (name === '__typename') {
      // `__typename` without an alias is free, because clients add it to each selection.
      const count = node.alias ? 1 : 0;
      return { ...zeroSize, depth: 1, fields: count, cost: { ...zeroCosts, all: count } };
    }
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    // The type declarations of `getFieldDef` wrongly exclude interfaces.
    const definition = hasFields ? getFieldDef(schema, parent as GraphQLObjectType, node) : null;
    const inside = node.selectionSet
      ? measureSelection(node.selectionSet, definition ? getNamedType(definition.type) : undefined)
      : zeroSize;
    const coordinate = `${parent?.name ?? ''}.${name}`;
    const argumentOf = (argument: string): { read: ReadArgument; isConstant: boolean } => {
      const value = node.arguments?.find((each) => each.name.value === argument)?.value;
      // If a client sends null, the resolvers use the default of the argument.
      const byDefault = definition?.args.find((each) => each.name === argument)?.defaultValue;
      return { read: readArgument(value, byDefault, variableDefaults), isConstant: value?.kind !== Kind.VARIABLE };
    };
    const declared = fieldCosts.get(coordinate) ?? defaultCost;
    const cost = costOf(declared, inside.cost, argumentOf, sizedFields.has(coordinate));
    return { ...inside, depth: 1 + inside.depth, fields: 1 + inside.fields, cost };
  };

  const { cost, ...size } = measureSelection(selectionSet, schema.getRootType(operation) ?? undefined);
  return {
    ...size,
    cost: (variables) => valueOf(cost, { variables: { ...variables }, countVerses: createCounter() }).all,
  };
}

/** Returns the cost of a field with this selection. */
function costOf(
  { base, items, perItem, verses, sizedFields, divide, max, undivided, arguments: costly }: FieldCost,
  selection: Cost,
  argumentOf: (name: string) => { read: ReadArgument; isConstant: boolean },
  isSized: boolean,
): Cost {
  const page = perItem === null ? null : argumentOf(perItem);
  const named = verses.map((argument) => argumentOf(argument).read);
  const added = costly.map((cost) => ({ ...argumentOf(cost.argument), cost }));
  const ofRequest = (request: CostRequest, inside: Costs): Costs => {
    const addedCost = added.reduce((total, { read, cost }) => total + costOfValue(cost, read(request)), 0);
    const divided = inside.all - inside.undivided;
    let all = base + (items ?? 1) * inside.all;
    let inEach = (items ?? 1) * inside.undivided;
    const pageSize = page?.read(request);
    if (page && (items === null || typeof pageSize === 'number')) {
      const count = clampItems(pageSize, max);
      inEach = count * inside.undivided;
      all = Math.max(base, Math.floor((count * divided) / divide) + inEach);
    } else if (named.length > 0) {
      const [repeated, each] =
        sizedFields.length > 0 ? [inside.perVerse, inside.undividedPerVerse] : [inside.all, inside.undivided];
      // Counting verses takes time, so the verses are not counted if no selected field depends on their number.
      const count =
        repeated === 0
          ? 0
          : countNamed(
              named.map((read) => read(request)),
              request.countVerses,
            );
      const counted = Math.min(count, max);
      inEach = inside.undivided + Math.max(0, counted - 1) * each;
      const more = Math.max(0, Math.floor((counted * (repeated - each)) / divide) - (repeated - each));
      all = base + divided + more + inEach;
    }
    all += addedCost;
    return {
      all,
      undivided: undivided ? all : inEach,
      perVerse: isSized ? inside.all || 1 : 0,
      undividedPerVerse: isSized ? inside.undivided : 0,
    };
  };
  const isConstant = named.length === 0 && [...added, ...(page ? [page] : [])].every((each) => each.isConstant);
  return isConstant && typeof selection === 'object'
    ? ofRequest(noRequest, selection)
    : (request) => ofRequest(request, valueOf(selection, request));
}

/** Returns the cost of an argument's value. A value that is not a string is rejected later, by variable coercion. */
function costOfValue({ characters, max, values }: ArgumentCost, value: unknown): number {
  if (typeof value !== 'string') return 0;
  return characters === null ? (values.get(value) ?? 0) : Math.floor(Math.min(value.length, max) / characters);
}

/** Returns 1 to `max`: `max` without a value, and for another type, which variable coercion rejects later. */
const clampItems = (value: unknown, max: number): number =>
  typeof value === 'number' ? Math.min(Math.max(Math.trunc(value), 1), max) : max;

/**
 * Counts the verses that ids, a reference, or a book and a chapter name. Beside a reference, a list names translations.
 */
function countNamed(values: readonly unknown[], countVerses: CountVerses): number {
  const lists = values.filter((value) => Array.isArray(value));
  const items = lists.reduce((product, { length }) => product * length, 1);
  if (values.length === 1 && lists.length === 1) return items;
  // Values of other types are rejected later, by variable coercion.
  const named = values.filter((value) => typeof value === 'string' || typeof value === 'number').join(' ');
  return items === 0 ? 0 : countVerses(named) * items;
}

/** Returns the function that reads the value of an argument, or its default if the value is null or absent. */
function readArgument(value: ValueNode | undefined, byDefault: unknown, variableDefaults: Variables): ReadArgument {
  if (!value) return () => byDefault;
  if (value.kind === Kind.VARIABLE) {
    const name = value.name.value;
    return ({ variables }) => (Object.hasOwn(variables, name) ? variables[name] : variableDefaults[name]) ?? byDefault;
  }
  const constant = valueFromASTUntyped(value) ?? byDefault;
  return () => constant;
}

/** Otherwise fragments that spread each other twice would double the work at each level. */
function memoizePerRequest(cost: Cost): Cost {
  if (typeof cost === 'object') return cost;
  const values = new WeakMap<CostRequest, Costs>();
  return (request) => {
    const known = values.get(request) ?? cost(request);
    values.set(request, known);
    return known;
  };
}

const isConditional = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name }) => name.value === 'skip' || name.value === 'include');

const valueOf = (cost: Cost, request: CostRequest): Costs => (typeof cost === 'object' ? cost : cost(request));

const add = (a: Costs, b: Costs): Costs => ({
  all: a.all + b.all,
  undivided: a.undivided + b.undivided,
  perVerse: a.perVerse + b.perVerse,
  undividedPerVerse: a.undividedPerVerse + b.undividedPerVerse,
});

function sum(costs: readonly Cost[]): Cost {
  const constant = costs.reduce<Costs>(
    (total, cost) => (typeof cost === 'object' ? add(total, cost) : total),
    zeroCosts,
  );
  const variable = costs.filter((cost) => typeof cost === 'function');
  return variable.length === 0
    ? constant
    : (request) => variable.reduce((total, cost) => add(total, cost(request)), constant);
}
