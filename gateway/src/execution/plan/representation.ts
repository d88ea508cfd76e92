import type { FetchRewrite, RequiresSelection } from '@graphql-hive/router-query-planner';
import { errors } from '@lectern/errors';
import type { KeysOf } from '../../supergraph/types';
import { applyRewrites, type Entity, type IsSubtype, newValues } from './paths';

/** Returns the representation of an entity. Returns null if no fragment fits the entity, or a required field is absent. */
export type Represent = (entity: Entity) => Entity | null;

export interface RepresentationParts {
  readonly isSubtype: IsSubtype;
  /** Returns the keys by which a subgraph finds entities of a type. */
  readonly keysOf: KeysOf;
}

/**
 * Throws if the plan would give a silently wrong answer: two fields with one name in a representation, or a
 * representation without a key of the subgraph.
 */
export function compileRepresentation(
  { isSubtype, keysOf }: RepresentationParts,
  subgraph: string,
  required: readonly RequiresSelection[],
  rewrites: readonly FetchRewrite[] | undefined,
): Represent {
  const keysOfType = (type: string) => keysOf(subgraph, type);
  // A rewrite may send a type under the name of its interface, and then the keys are those of the interface.
  checkKeys(required, [], newValues(rewrites).flatMap(keysOfType), keysOfType);
  const write = compileSelections(required, isSubtype, new Map());
  return (entity) => {
    const representation: Entity = {};
    if (!write(entity, representation) || Object.keys(representation).length === 0) return null;
    applyRewrites(representation, rewrites, isSubtype);
    return representation;
  };
}

/** Throws if a fragment has all fields of none of the keys. `fields` and `keys` are those of the fragments around it. */
function checkKeys(
  selections: readonly RequiresSelection[],
  fields: readonly string[],
  keys: readonly (readonly string[])[],
  keysOf: (type: string) => readonly (readonly string[])[],
): void {
  const own = selections.flatMap((each) => (each.kind === 'Field' ? [each.alias ?? each.name] : []));
  const known = [...fields, ...own];
  if (keys.some((key) => key.every((field) => known.includes(field)))) return;
  const inner = selections.filter((each) => each.kind === 'InlineFragment');
  for (const { typeCondition, selections: nested } of inner)
    checkKeys(nested, known, [...keys, ...keysOf(typeCondition)], keysOf);
  if (inner.length === 0 && keys.length > 0) throw new Error('the plan sends an entity without a key to a subgraph');
}

export const conflictingRequirements = (field: string) =>
  errors.badUserInput(`Two fields require ${field} with different arguments: select them in two operations.`);

/** Adds the required fields of an object to its representation. Returns false if one is absent. */
type Write = (source: Entity, representation: Entity) => boolean;

/** The sources of the keys of one object in a representation, by type condition and key. */
type Sources = Map<string, string>;

function compileSelections(
  selections: readonly RequiresSelection[],
  isSubtype: IsSubtype,
  sources: Sources,
  type = '',
): Write {
  const writers = selections.map((selection) => compileSelection(selection, isSubtype, sources, type));
  const [only] = writers;
  if (only && writers.length === 1) return only;
  return (source, representation) => writers.every((write) => write(source, representation));
}

function compileSelection(selection: RequiresSelection, isSubtype: IsSubtype, sources: Sources, type: string): Write {
  if (selection.kind === 'InlineFragment') {
    const { typeCondition } = selection;
    const write = compileSelections(selection.selections, isSubtype, sources, typeCondition);
    return (source, representation) => {
      const typename = source['__typename'];
      // In a plan, a condition may be a wider or a narrower type than the one that the subgraph has sent.
      const isFitting =
        typeof typename !== 'string' || isSubtype(typename, [typeCondition]) || isSubtype(typeCondition, [typename]);
      return !isFitting || write(source, representation);
    };
  }
  if (selection.kind !== 'Field') throw new Error(`the plan requires a ${selection.kind}`);
  const { name, alias = name, selections = [] } = selection;
  const place = `${type} ${alias}`;
  if ((sources.get(place) ?? name) !== name) throw conflictingRequirements(alias);
  sources.set(place, name);
  const writeInner = selections.length > 0 ? compileSelections(selections, isSubtype, new Map()) : null;
  return (source, representation) => {
    const value = Object.hasOwn(source, name) ? source[name] : undefined;
    // The type of an entity may be unknown: its type is then the type of the fragment.
    if (value === undefined) return name === '__typename';
    const written = writeInner ? writeValue(value, writeInner) : value;
    if (written === undefined) return false;
    representation[alias] = written;
    return true;
  };
}

/** Returns undefined if a required field is absent. */
function writeValue(value: unknown, write: Write): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list = value.map((item) => writeValue(item, write));
    return list.includes(undefined) ? undefined : list;
  }
  const object: Entity = {};
  return write(value as Entity, object) ? object : undefined;
}
