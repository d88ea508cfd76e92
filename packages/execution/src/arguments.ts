import type { FieldNode, GraphQLField, ValueNode } from 'graphql';
import { getArgumentValues, isNonNullType, Kind, visit } from 'graphql';
import type { VariableValues } from './variables';

type Arguments = Readonly<Record<string, unknown>>;

/** One argument of a field that a variable alone stands for. */
interface FromVariable {
  readonly name: string;
  readonly variable: string;
  readonly default: unknown;
  readonly isNullable: boolean;
}

/**
 * The arguments of a field as graphql-js coerces them, as far as possible once a document: where no variable stands in them they are always the
 * same, and a variable that is an argument's whole value was coerced with the variables. What is wrong is left to graphql-js, which says what.
 */
export function compileArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: VariableValues) => Arguments {
  const slow = (variables: VariableValues): Arguments => getArgumentValues(definition, node, variables);
  const given = node.arguments ?? [];
  if (!given.some((argument) => hasVariable(argument.value))) {
    const values = Object.freeze(slow({}));
    return () => values;
  }
  if (given.some((argument) => argument.value.kind !== Kind.VARIABLE && hasVariable(argument.value))) return slow;

  const valueOf = (name: string) => given.find((argument) => argument.name.value === name)?.value;
  const constant = Object.entries(
    getArgumentValues(
      { ...definition, args: definition.args.filter(({ name }) => valueOf(name)?.kind !== Kind.VARIABLE) },
      node,
      {},
    ),
  );
  const open = definition.args.flatMap(({ name, type, defaultValue }): FromVariable[] => {
    const value = valueOf(name);
    return value?.kind === Kind.VARIABLE
      ? [{ name, variable: value.name.value, default: defaultValue, isNullable: !isNonNullType(type) }]
      : [];
  });
  return (variables) => {
    // One by one into a new object: a spread of what graphql-js has made is a dictionary to V8, and as slow as one.
    const values: Record<string, unknown> = {};
    for (const [name, value] of constant) values[name] = value;
    for (const argument of open) {
      if (Object.hasOwn(variables, argument.variable)) {
        const value = variables[argument.variable];
        if (value === undefined || (value === null && !argument.isNullable)) return slow(variables);
        values[argument.name] = value;
      } else if (argument.default !== undefined) values[argument.name] = argument.default;
      else if (!argument.isNullable) return slow(variables);
    }
    return values;
  };
}

function hasVariable(value: ValueNode): boolean {
  let found = false;
  visit(value, {
    Variable() {
      found = true;
    },
  });
  return found;
}
