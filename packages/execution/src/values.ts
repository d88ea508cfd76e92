import {
  type FieldNode,
  GraphQLBoolean,
  type GraphQLError,
  type GraphQLField,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  type GraphQLLeafType,
  type GraphQLSchema,
  GraphQLString,
  type GraphQLType,
  getArgumentValues,
  getNullableType,
  getVariableValues,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type ValueNode,
  type VariableNode,
  valueFromAST,
  visit,
} from 'graphql';

const isString = (value: unknown): boolean => typeof value === 'string';

const checks = new Map<GraphQLType, (value: unknown) => boolean>([
  [GraphQLString, isString],
  [GraphQLID, isString],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat, Number.isFinite],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
]);

/** Returns whether a built-in scalar leaves a value unchanged. Undefined for other types. */
export const builtInScalarCheck = (type: GraphQLType): ((value: unknown) => boolean) | undefined => checks.get(type);

const isNeverUnchanged = (): boolean => false;

/** Throws if the type cannot hold the value, and calls `serialize` only for values that may change. */
export function compileSerialize(type: GraphQLLeafType): (value: unknown) => unknown {
  const isUnchanged = builtInScalarCheck(type) ?? isNeverUnchanged;
  return (value) => {
    if (isUnchanged(value)) return value;
    const result: unknown = type.serialize(value);
    if (result === null || result === undefined)
      throw new Error(`${type.name} has serialized a value that is not null as ${String(result)}.`);
    return result;
  };
}

export type VariableValues = Record<string, unknown>;

type CoercedVariables =
  | { readonly coerced: VariableValues; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly coerced?: undefined };

interface Variable {
  readonly name: string;
  readonly isNullable: boolean;
  readonly default: unknown;
  /** Returns whether coercion leaves `value`, which is never null, unchanged. */
  readonly isUnchanged: (value: unknown) => boolean;
}

/** Compiles the coercion of variables of a valid operation. As graphql-js, it reports at most `maxErrors` errors. */
export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  maxErrors: number,
): (sent: Readonly<VariableValues>) => CoercedVariables {
  const compiled = variableDefinitions.map((definition): Variable | null => {
    const name = definition.variable.name.value;
    const type: GraphQLType | undefined = typeFromAST(schema, definition.type as Parameters<typeof typeFromAST>[1]);
    if (!isInputType(type) || name === '__proto__') return null;
    const check = builtInScalarCheck(getNullableType(type));
    // The default of such a type may be an object, which two requests must not share.
    if (!check && definition.defaultValue) return null;
    return {
      name,
      isNullable: !isNonNullType(type),
      default: definition.defaultValue && valueFromAST(definition.defaultValue, type),
      isUnchanged: check ?? isNeverUnchanged,
    };
  });
  const variables = compiled.every((variable) => variable !== null) ? compiled : null;

  return (sent) =>
    (variables && coerceUnchanged(variables, sent)) ??
    getVariableValues(schema, variableDefinitions, sent, { maxErrors });
}

/** Coerces variables whose values stay unchanged. Returns null if graphql-js has to coerce or reject a value. */
function coerceUnchanged(variables: readonly Variable[], sent: Readonly<VariableValues>): CoercedVariables | null {
  const coerced: VariableValues = {};
  for (const variable of variables) {
    if (Object.hasOwn(sent, variable.name)) {
      const value = sent[variable.name];
      if (value === null ? !variable.isNullable : !variable.isUnchanged(value)) return null;
      coerced[variable.name] = value;
    } else if (variable.default !== undefined) coerced[variable.name] = variable.default;
    else if (!variable.isNullable) return null;
  }
  return { coerced };
}

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Compiles the coercion of a field's arguments, with the results of graphql-js. Without variables, it is done once. A
 * variable was coerced with those of the operation. If one is a part of a value, graphql-js coerces all arguments at
 * each request. It also throws all errors.
 */
export function compileArguments(
  definition: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: VariableValues) => Arguments {
  const coerceByGraphqlJs = (variables: VariableValues): Arguments => getArgumentValues(definition, node, variables);
  const sent = new Map(node.arguments?.map(({ name, value }) => [name.value, value]));
  if (![...sent.values()].some(hasVariable)) {
    const values = Object.freeze(coerceByGraphqlJs({}));
    return () => values;
  }
  if ([...sent.values()].some((value) => value.kind !== Kind.VARIABLE && hasVariable(value))) return coerceByGraphqlJs;

  const isVariable = ({ name }: { name: string }): boolean => sent.get(name)?.kind === Kind.VARIABLE;
  const constants = Object.entries(
    getArgumentValues({ ...definition, args: definition.args.filter((each) => !isVariable(each)) }, node, {}),
  );
  const variableArguments = definition.args.filter(isVariable).map(({ name, type, defaultValue }) => ({
    name,
    variable: (sent.get(name) as VariableNode).name.value,
    default: defaultValue,
    isNullable: !isNonNullType(type),
  }));
  return (variables) => {
    // V8 would store a spread copy of graphql-js's object as a dictionary, which is slow.
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
  visit(value, { Variable: () => void (found = true) });
  return found;
}
