import type { GraphQLAbstractType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { defaultTypeResolver } from 'graphql';
import type { CompletedField, CompleteValue, ExecutionState } from './execution-state-and-pace';
import type { Path } from './state';

/** Executes the selection of one object type on a value. */
type ExecuteObject = (state: ExecutionState, value: unknown, path: Path) => unknown;

/**
 * Compiles the completion of the values of a union or interface. `compileFor` compiles the
 * selection for each possible object type. The type of each value decides which selection is
 * executed.
 */
export function compileAbstractType(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  field: CompletedField,
  compileFor: (possible: GraphQLObjectType) => ExecuteObject,
): CompleteValue {
  const executions = new Map<unknown, ExecuteObject>(
    schema.getPossibleTypes(type).map((possible) => [possible.name, compileFor(possible)]),
  );
  const resolveType = type.resolveType ?? defaultTypeResolver;

  const executeAs = (state: ExecutionState, typename: unknown, value: unknown, path: Path): unknown => {
    const execute = executions.get(typename);
    if (!execute)
      throw new Error(
        `${field.coordinate} gave a value of the type ${String(typename)}, which is none of ${type.name}.`,
      );
    return execute(state, value, path);
  };
  return (state, value, prev, key) => {
    const path: Path = { prev, key, typename: field.typename };
    // For an item of a list, `info` has the path of the item, where graphql-js passes the path of
    // the field. No type resolver of Lectern reads the path.
    const typename = resolveType(value, state.context, field.buildInfo(state, path), type);
    return typeof typename === 'object' && typename !== null
      ? typename.then((resolved) => executeAs(state, resolved, value, path))
      : executeAs(state, typename, value, path);
  };
}
