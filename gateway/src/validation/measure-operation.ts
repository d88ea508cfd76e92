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

type Variables = Readonly<Record<string, unknown>>;

/** A cost that is known, or one that depends on this call's variables. */
type Cost = number | ((variables: Variables) => number);

export interface Measured {
  /** A field of the operation itself is 1 deep, also when it stands in a fragment. */
  depth: number;
  /** Selections under @skip or @include, fragments unfolded: the planner makes a case of each, also of those that cost nothing. */
  conditions: number;
  /** Fields, fragments unfolded and whatever they cost: a price that is divided may make many of them cheap, and the planner goes through each. */
  fields: number;
  cost(variables: Variables): number;
}

/** A part of an operation. */
interface Part {
  depth: number;
  conditions: number;
  fields: number;
  cost: Cost;
}

const nothing: Part = { depth: 0, conditions: 0, fields: 0, cost: 0 };

/**
 * Depth and cost of an operation, from its document alone: it need not be valid. Each fragment is measured once, however often it is
 * spread, so that a document of any shape is measured in time linear in its length. A circle of fragments counts once round;
 * validation refuses it afterwards.
 */
export function createMeasure(schema: GraphQLSchema, prices: ReadonlyMap<string, FieldCost>) {
  return (document: DocumentNode, operation: OperationDefinitionNode): Measured => {
    const fragments = new Map(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
      ),
    );
    const measured = new Map<string, Part>();
    const defaults: Variables = Object.fromEntries(
      (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
        defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
      ),
    );

    const fragment = (name: string): Part => {
      const known = measured.get(name);
      if (known) return known;
      measured.set(name, nothing);
      const definition = fragments.get(name);
      if (!definition) return nothing;
      const part = selection(definition.selectionSet, compositeType(schema, definition.typeCondition.name.value));
      const found = { ...part, cost: onceACall(part.cost) };
      measured.set(name, found);
      return found;
    };

    const selection = (set: SelectionSetNode, parent: GraphQLCompositeType | null): Part => {
      let depth = 0;
      let conditions = 0;
      let fields = 0;
      const costs: Cost[] = [];
      for (const node of set.selections) {
        const part =
          node.kind === Kind.FIELD
            ? field(node, parent)
            : node.kind === Kind.FRAGMENT_SPREAD
              ? fragment(node.name.value)
              : selection(
                  node.selectionSet,
                  node.typeCondition ? compositeType(schema, node.typeCondition.name.value) : parent,
                );
        depth = Math.max(depth, part.depth);
        conditions += part.conditions + (isConditional(node) ? 1 : 0);
        fields += part.fields;
        costs.push(part.cost);
      }
      return { depth, conditions, fields, cost: sum(costs) };
    };

    const field = (node: FieldNode, parent: GraphQLCompositeType | null): Part => {
      if (node.name.value === '__typename') {
        const own = node.alias ? 1 : 0;
        return { depth: 1, conditions: 0, fields: own, cost: own };
      }
      const definition = definitionOf(schema, parent, node.name.value);
      const type = definition ? getNamedType(definition.type) : null;
      const inside = node.selectionSet
        ? selection(node.selectionSet, type && isCompositeType(type) ? type : null)
        : nothing;
      const price = parent ? prices.get(`${parent.name}.${node.name.value}`) : undefined;
      return {
        depth: 1 + inside.depth,
        conditions: inside.conditions,
        fields: 1 + inside.fields,
        cost: priced(
          inside.cost,
          price,
          node,
          definition?.args.find((argument) => argument.name === price?.perItem)?.defaultValue,
        ),
      };
    };

    const priced = (children: Cost, price: FieldCost | undefined, node: FieldNode, argumentDefault: unknown): Cost => {
      if (!price?.perItem) return plus(price?.base ?? 1, children);
      const { base, divide, max, perItem } = price;
      const argument = node.arguments?.find((each) => each.name.value === perItem);
      const items = itemsOf(argument?.value, argumentDefault, defaults, max);
      const total = (count: number, cost: number) => Math.max(base, Math.floor((count * cost) / divide));
      if (typeof items === 'number' && typeof children === 'number') return total(items, children);
      return (variables) => total(valueOf(items, variables), valueOf(children, variables));
    };

    const { depth, conditions, fields, cost } = selection(
      operation.selectionSet,
      schema.getRootType(operation.operation) ?? null,
    );
    return {
      depth,
      conditions,
      fields,
      cost: (variables) => (typeof cost === 'number' ? cost : cost({ ...variables })),
    };
  };
}

/** The number of items that an argument asks for, between 1 and `max`; what is no whole number will be refused later and counts as all. */
function itemsOf(
  value: ValueNode | undefined,
  argumentDefault: unknown,
  variableDefaults: Variables,
  max: number,
): Cost {
  const clamped = (asked: unknown): number => {
    // A null means the argument's default.
    const items = asked ?? argumentDefault;
    return typeof items === 'number' ? Math.min(Math.max(Math.trunc(items), 1), max) : max;
  };
  if (value?.kind !== Kind.VARIABLE) return clamped(value && valueFromASTUntyped(value));
  const name = value.name.value;
  return (variables) => clamped(Object.hasOwn(variables, name) ? variables[name] : variableDefaults[name]);
}

/** Fragments that spread each other twice would otherwise be evaluated twice as often at every level. Forgets with the call. */
function onceACall(cost: Cost): Cost {
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
  const known = costs.reduce<number>((total, cost) => total + (typeof cost === 'number' ? cost : 0), 0);
  const open = costs.filter((cost) => typeof cost === 'function');
  if (open.length === 0) return known;
  return (variables) => open.reduce((total, cost) => total + cost(variables), known);
}

function compositeType(schema: GraphQLSchema, name: string): GraphQLCompositeType | null {
  const type = schema.getType(name);
  return type && isCompositeType(type) ? type : null;
}

function definitionOf(schema: GraphQLSchema, parent: GraphQLCompositeType | null, name: string) {
  if (parent === schema.getQueryType()) {
    if (name === SchemaMetaFieldDef.name) return SchemaMetaFieldDef;
    if (name === TypeMetaFieldDef.name) return TypeMetaFieldDef;
  }
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}
