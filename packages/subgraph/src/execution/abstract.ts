import { defaultTypeResolver } from 'graphql';
import type { GraphQLAbstractType } from 'graphql';
import type { OperationParts } from './resolver';
import { compileSubselection, executeSelection } from './selection';
import type { Complete, OfField, Run, Selection } from './selection';
import type { Path } from './path';

/** A union or an interface: each of its types has a selection of its own, and which it is shows only in the value. */
export function compileAbstract(parts: OperationParts, type: GraphQLAbstractType, of: OfField): Complete {
  const selections = new Map<unknown, Selection>(parts.schema.getPossibleTypes(type).map((possible) => [possible.name, compileSubselection(parts, possible, of)]));
  const typeOf = type.resolveType ?? defaultTypeResolver;

  const executeAs = (run: Run, name: unknown, value: unknown, path: Path): unknown => {
    const selection = selections.get(name);
    if (!selection) throw new Error(`${of.place} gave a value of the type ${String(name)}, which is none of ${type.name}.`);
    return executeSelection(run, selection, value, path);
  };
  return (run, value, prev, key) => {
    const path: Path = { prev, key, typename: of.typename };
    // In a list the path is the item's, where graphql-js would say the field's: no type here is told by it.
    const name = typeOf(value, run.context, of.infoAt(run, path), type);
    return typeof name === 'object' && name !== null ? name.then((found) => executeAs(run, found, value, path)) : executeAs(run, name, value, path);
  };
}
