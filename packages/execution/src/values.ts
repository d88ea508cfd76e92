import type { FieldNode, GraphQLField, ValueNode } from 'graphql';
import { getArgumentValues, isNonNullType, Kind, visit } from 'graphql';
import type { VariableValues } from './compile-variables';

type Arguments = Readonly<Record<string, unknown>>;

/** An argument whose whole value is one variable. */
interface VariableArgument {
  readonly name: string;
  readonly variable: string;
  readonly default: unknown;
  readonly isNullable: boolean;
}

/**
 * Compiles the coercion of a field's arguments, with the same results as graphql-js. Arguments
 * without variables are coerced once. If the whole value of an argument is a variable, the value
 * was already coerced with the operation's variables. If a variable is only a part of an argument's
 * value, graphql-js coerces all arguments of the field on each request. graphql-js also throws the
 * errors.
 */
export function compileArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: VariableValues) => Arguments {
  const coerceByGraphqlJs = (variables: VariableValues): Arguments => getArgumentValues(definition, node, variables);
  const sent = node.arguments ?? [];
  if (!sent.some((argument) => hasVariable(argument.value))) {
    const values = Object.freeze(coerceByGraphqlJs({}));
    return () => values;
  }
  if (sent.some((argument) => argument.value.kind !== Kind.VARIABLE && hasVariable(argument.value)))
    return coerceByGraphqlJs;

  const valueOf = (name: string) => sent.find((argument) => argument.name.value === name)?.value;
  const constants = Object.entries(
    getArgumentValues(
      { ...definition, args: definition.args.filter(({ name }) => valueOf(name)?.kind !== Kind.VARIABLE) },
      node,
      {},
    ),
  );
  const variableArguments = definition.args.flatMap(({ name, type, defaultValue }): VariableArgument[] => {
    const value = valueOf(name);
    return value?.kind === Kind.VARIABLE
      ? [{ name, variable: value.name.value, default: defaultValue, isNullable: !isNonNullType(type) }]
      : [];
  });
  return (variables) => {
    // The values are assigned one by one to a new object. A spread copy of graphql-js's object
    // would have slow dictionary properties in V8.
    const values: Record<string, unknown> = {};
    for (const [name, value] of constants) values[name] = value;
    for (const argument of variableArguments) {
      if (Object.hasOwn(variables, argument.variable)) {
        const value = variables[argument.variable];
        if (value === undefined || (value === null && !argument.isNullable)) return coerceByGraphqlJs(variables);
        values[argument.name] = value;
      } else if (argument.default !== undefined) values[argument.name] = argument.default;
      else if (!argument.isNullable) return coerceByGraphqlJs(variables);
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
