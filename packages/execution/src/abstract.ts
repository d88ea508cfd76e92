import type { GraphQLAbstractType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { defaultTypeResolver } from 'graphql';
import type { Path } from './path';
import type { Complete, OfField, Run } from './run';

/** Executes what an operation asks of one object. */
type ExecuteObject = (run: Run, value: unknown, path: Path) => unknown;

/** A union or an interface: each of its types has a selection of its own, and which it is shows only in the value. */
export function compileAbstract(
  schema: GraphQLSchema,
  type: GraphQLAbstractType,
  of: OfField,
  compileFor: (possible: GraphQLObjectType) => ExecuteObject,
): Complete {
  const executions = new Map<unknown, ExecuteObject>(
    schema.getPossibleTypes(type).map((possible) => [possible.name, compileFor(possible)]),
  );
  const typeOf = type.resolveType ?? defaultTypeResolver;

  const executeAs = (run: Run, name: unknown, value: unknown, path: Path): unknown => {
    const execute = executions.get(name);
    if (!execute)
      throw new Error(`${of.place} gave a value of the type ${String(name)}, which is none of ${type.name}.`);
    return execute(run, value, path);
  };
  return (run, value, prev, key) => {
    const path: Path = { prev, key, typename: of.typename };
    // In a list the path is the item's, where graphql-js would say the field's: no type here is told by it.
    const name = typeOf(value, run.context, of.infoAt(run, path), type);
    return typeof name === 'object' && name !== null
      ? name.then((found) => executeAs(run, found, value, path))
      : executeAs(run, name, value, path);
  };
}
