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
import { readFieldDirectives } from '../supergraph/directives';

type Variables = Readonly<Record<string, unknown>>;

/** A cost: a constant, or a function of the request's variables. */
type Cost = number | ((variables: Variables) => number);

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

type PartSize = Omit<OperationSize, 'cost'> & { cost: Cost };

const defaultCost: FieldCost = { base: 1, perItem: null, divide: 1, max: Number.MAX_SAFE_INTEGER };

/** Reads the costs that subgraphs declare with `@fieldCost`, by `Type.field`. */
export const readFieldCosts = (supergraph: DocumentNode): ReadonlyMap<string, FieldCost> =>
  new Map(
    [...readFieldDirectives(supergraph, 'https://lectern.example/cost/', 'fieldCost')].map(([field, declared]) => [
      field,
      { ...defaultCost, ...declared },
    ]),
  );

const zeroSize: PartSize = { depth: 0, conditions: 0, fields: 0, selections: 0, cost: 0 };

/**
 * Measures an operation of a valid document. Each fragment is measured once, however often the
 * operation spreads it, so the time is linear in the document's length.
 */
export function measureOperation(
  schema: GraphQLSchema,
  fieldCosts: ReadonlyMap<string, FieldCost>,
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
      return { ...zeroSize, depth: 1, fields: count, cost: count };
    }
    const hasFields = isObjectType(parent) || isInterfaceType(parent);
    // The type of `getFieldDef` does not say that it also takes interfaces.
    const definition = hasFields ? getFieldDef(schema, parent as GraphQLObjectType, node) : null;
    const inside = node.selectionSet
      ? measureSelection(node.selectionSet, definition ? getNamedType(definition.type) : undefined)
      : zeroSize;
    const { base, divide, max, perItem } = fieldCosts.get(`${parent?.name ?? ''}.${name}`) ?? defaultCost;
    const size = { ...inside, depth: 1 + inside.depth, fields: 1 + inside.fields };
    if (!perItem) return { ...size, cost: sum([base, inside.cost]) };
    const argument = node.arguments?.find((each) => each.name.value === perItem);
    const argumentDefault = definition?.args.find((each) => each.name === perItem)?.defaultValue;
    const items = countItems(argument?.value, argumentDefault, variableDefaults, max);
    const total = (count: number, cost: number) => Math.max(base, Math.floor((count * cost) / divide));
    const { cost } = inside;
    if (typeof items === 'number' && typeof cost === 'number') return { ...size, cost: total(items, cost) };
    return { ...size, cost: (variables) => total(valueOf(items, variables), valueOf(cost, variables)) };
  };

  const { cost, ...size } = measureSelection(selectionSet, schema.getRootType(operation) ?? undefined);
  return { ...size, cost: (variables) => valueOf(cost, { ...variables }) };
}

/**
 * The number of items is between 1 and `max`. Without a value, and without a default, it is `max`,
 * and also for a value that is not a number: variable coercion rejects the value later.
 */
function countItems(
  value: ValueNode | undefined,
  argumentDefault: unknown,
  variableDefaults: Variables,
  max: number,
): Cost {
  const clamp = (value: unknown): number => {
    // For null the resolvers use the argument's default.
    const items = value ?? argumentDefault;
    return typeof items === 'number' ? Math.min(Math.max(Math.trunc(items), 1), max) : max;
  };
  if (value?.kind !== Kind.VARIABLE) return clamp(value && valueFromASTUntyped(value));
  const name = value.name.value;
  return (variables) => clamp(Object.hasOwn(variables, name) ? variables[name] : variableDefaults[name]);
}

/**
 * Evaluates the cost once per request: fragments that spread each other twice would otherwise
 * double the work at each level. The key is the request's copy of the variables.
 */
function memoizePerRequest(cost: Cost): Cost {
  if (typeof cost === 'number') return cost;
  const values = new WeakMap<Variables, number>();
  return (variables) => {
    const known = values.get(variables) ?? cost(variables);
    values.set(variables, known);
    return known;
  };
}

const isConditional = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name }) => name.value === 'skip' || name.value === 'include');

const valueOf = (cost: Cost, variables: Variables): number => (typeof cost === 'number' ? cost : cost(variables));

function sum(costs: readonly Cost[]): Cost {
  const constant = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const variable = costs.filter((cost) => typeof cost === 'function');
  if (variable.length === 0) return constant;
  return (variables) => variable.reduce((total, cost) => total + cost(variables), constant);
}
