import type { FieldCost } from '@lectern/site';
import type {
  DocumentNode,
  FieldNode,
  GraphQLCompositeType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import {
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';
import { readFieldDirectives } from '../supergraph/directives';
import { fragmentMap } from './comparisons';

const fieldCost = { specification: 'https://lectern.example/cost/', name: 'fieldCost' };

type Variables = Readonly<Record<string, unknown>>;

/** A cost: a constant, or a function of the request's variables. */
type Cost = number | ((variables: Variables) => number);

/** The bounds of one operation. Each is a setting of the gateway. */
export interface QueryLimits {
  tokens: number;
  depth: number;
  /** The maximum cost. */
  complexity: number;
}

/** The cost and depth of a request's operation, beside their limits. */
export interface OperationCost {
  readonly complexity: number;
  readonly maxComplexity: number;
  readonly depth: number;
  readonly maxDepth: number;
}

export interface OperationSize {
  /**
   * The maximum depth of a field. A field at the top of the operation has depth 1, also inside a
   * fragment.
   */
  depth: number;
  /**
   * The number of selections with @skip or @include, with fragments expanded. The planner plans
   * both cases of each condition, even if the selection costs 0.
   */
  conditions: number;
  /**
   * The number of fields, with fragments expanded, without `__typename` that has no alias. A field
   * counts whatever its cost is, because the planner visits each field.
   */
  fields: number;
  /**
   * The number of fields (with `__typename`), inline fragments and fragment spreads, with fragments
   * expanded.
   */
  selections: number;
  cost(variables: Variables): number;
}

/** The size of a part of an operation. */
interface PartSize extends Omit<OperationSize, 'cost'> {
  cost: Cost;
}

/**
 * Reads the costs that subgraphs declare with `@fieldCost`, by `Type.field`, from the composed
 * supergraph.
 */
export const readFieldCosts = (supergraph: DocumentNode): ReadonlyMap<string, FieldCost> =>
  new Map(
    [...readFieldDirectives(supergraph, fieldCost)].map(([field, declared]) => {
      const { base = 1, perItem = null, divide = 1, max = Number.MAX_SAFE_INTEGER } = declared as Partial<FieldCost>;
      return [field, { base, perItem, divide, max }];
    }),
  );

const zeroSize: PartSize = { depth: 0, conditions: 0, fields: 0, selections: 0, cost: 0 };

/**
 * Creates the function that measures the depth and the cost of an operation of a valid document.
 * Each fragment is measured once, however often the operation spreads it, so the time is linear in
 * the document's length.
 */
export function createMeasureOperation(schema: GraphQLSchema, fieldCosts: ReadonlyMap<string, FieldCost>) {
  return (document: DocumentNode, operation: OperationDefinitionNode): OperationSize => {
    const fragments = fragmentMap(document);
    const measured = new Map<string, PartSize>();
    const defaults = defaultValues(operation);

    const measureFragment = (name: string): PartSize => {
      const known = measured.get(name);
      if (known) return known;
      const definition = fragments.get(name);
      if (!definition) return zeroSize;
      const type = compositeType(schema, definition.typeCondition.name.value);
      const part = measureSelection(definition.selectionSet, type);
      const size = { ...part, cost: memoizePerRequest(part.cost) };
      measured.set(name, size);
      return size;
    };

    const measureSelection = (set: SelectionSetNode, parent: GraphQLCompositeType | null): PartSize => {
      let depth = 0;
      let conditions = 0;
      let fields = 0;
      let selections = 0;
      const costs: Cost[] = [];
      for (const node of set.selections) {
        const part =
          node.kind === Kind.FIELD
            ? measureField(node, parent)
            : node.kind === Kind.FRAGMENT_SPREAD
              ? measureFragment(node.name.value)
              : measureSelection(
                  node.selectionSet,
                  node.typeCondition ? compositeType(schema, node.typeCondition.name.value) : parent,
                );
        depth = Math.max(depth, part.depth);
        conditions += part.conditions + (isConditional(node) ? 1 : 0);
        fields += part.fields;
        selections += 1 + part.selections;
        costs.push(part.cost);
      }
      return { depth, conditions, fields, selections, cost: sum(costs) };
    };

    const measureField = (node: FieldNode, parent: GraphQLCompositeType | null): PartSize => {
      if (node.name.value === '__typename') {
        // `__typename` without an alias is free, because clients add it to each selection.
        const count = node.alias ? 1 : 0;
        return { depth: 1, conditions: 0, fields: count, selections: 0, cost: count };
      }
      const definition = fieldDefinition(schema, parent, node.name.value);
      const type = definition ? getNamedType(definition.type) : null;
      const inside = node.selectionSet
        ? measureSelection(node.selectionSet, type && isCompositeType(type) ? type : null)
        : zeroSize;
      const declared = parent ? fieldCosts.get(`${parent.name}.${node.name.value}`) : undefined;
      return {
        depth: 1 + inside.depth,
        conditions: inside.conditions,
        fields: 1 + inside.fields,
        selections: inside.selections,
        cost: costOfField(inside.cost, declared, { node, definition, defaults }),
      };
    };

    const root = schema.getRootType(operation.operation) ?? null;
    const { cost, ...size } = measureSelection(operation.selectionSet, root);
    return { ...size, cost: (variables) => valueOf(cost, { ...variables }) };
  };
}

/** Returns the default values of an operation's variables, as JavaScript values. */
const defaultValues = ({ variableDefinitions = [] }: OperationDefinitionNode): Variables =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

/**
 * Returns the cost of a field whose selection costs `children`. `defaults` are those of the
 * variables.
 */
function costOfField(
  children: Cost,
  declared: FieldCost | undefined,
  {
    node,
    definition,
    defaults,
  }: { node: FieldNode; definition: ReturnType<typeof fieldDefinition>; defaults: Variables },
): Cost {
  if (!declared?.perItem) return plus(declared?.base ?? 1, children);
  const { base, divide, max, perItem } = declared;
  const argument = node.arguments?.find((each) => each.name.value === perItem);
  const argumentDefault = definition?.args.find(({ name }) => name === perItem)?.defaultValue;
  const items = countItems(argument?.value, argumentDefault, defaults, max);
  const total = (count: number, cost: number) => Math.max(base, Math.floor((count * cost) / divide));
  if (typeof items === 'number' && typeof children === 'number') return total(items, children);
  return (variables) => total(valueOf(items, variables), valueOf(children, variables));
}

/**
 * Returns the number of items that an argument requests, between 1 and `max`. Without a value, and
 * without a default, the number is `max`. A value that is not a number also counts as `max`:
 * variable coercion rejects the value later.
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
 * Returns the cost as a function that is evaluated once per request. Fragments that spread each
 * other twice would otherwise double the work at each level. The key is the request's copy of the
 * variables, so the memo ends with the request.
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

const plus = (base: number, cost: Cost): Cost =>
  typeof cost === 'number' ? base + cost : (variables) => base + cost(variables);

function sum(costs: readonly Cost[]): Cost {
  const constant = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const variable = costs.filter((cost) => typeof cost === 'function');
  if (variable.length === 0) return constant;
  return (variables) => variable.reduce((total, cost) => total + cost(variables), constant);
}

function compositeType(schema: GraphQLSchema, name: string): GraphQLCompositeType | null {
  const type = schema.getType(name);
  return type && isCompositeType(type) ? type : null;
}

function fieldDefinition(schema: GraphQLSchema, parent: GraphQLCompositeType | null, name: string) {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}
