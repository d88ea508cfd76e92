import type { FetchNodePathSegment, FetchRewrite, FlattenNodePathSegment } from '@graphql-hive/router-query-planner';

export type Entity = Record<string, unknown>;

/** Response keys and list indexes. */
export type ResponsePath = readonly (string | number)[];

/** Where a plan finds entities in the data. */
export type EntityPath = readonly FlattenNodePathSegment[];

/** Returns whether a type is one of these types, or a member or an implementation of one. */
export type IsSubtype = (name: string, conditions: readonly string[]) => boolean;

/** A value without `__typename` passes each type condition. */
const fits = (value: Entity, conditions: readonly string[], isSubtype: IsSubtype): boolean =>
  typeof value['__typename'] !== 'string' || isSubtype(value['__typename'], conditions);

const isObject = (value: unknown): value is Entity => typeof value === 'object' && value !== null;

/**
 * Visits each entity at a path, in the order of the data, without nulls. `value` is at the step `at`. `position` is its
 * place in the data, or null if `visit` does not need the places.
 */
export function visitEntities(
  value: unknown,
  path: EntityPath,
  isSubtype: IsSubtype,
  visit: (entity: Entity, position: ResponsePath | null) => void,
  position: ResponsePath | null = null,
  at = 0,
): void {
  if (!isObject(value)) return;
  const step = path[at];
  if (Array.isArray(value)) {
    // A path has one `@` for a list of lists, and none for a list at its end.
    const next = step === '@' ? at + 1 : at;
    for (const [index, item] of value.entries())
      visitEntities(item, path, isSubtype, visit, position && [...position, index], next);
  } else if (step === undefined) visit(value, position);
  else if (step === '@') return;
  else if ('TypeCondition' in step) {
    if (fits(value, step.TypeCondition, isSubtype)) visitEntities(value, path, isSubtype, visit, position, at + 1);
  } else if (Object.hasOwn(value, step.Field))
    visitEntities(value[step.Field], path, isSubtype, visit, position && [...position, step.Field], at + 1);
}

/** The planner writes a rewrite that sets a value in two forms. */
const setterOf = (rewrite: Exclude<FetchRewrite, { KeyRenamer: unknown }>) =>
  'ValueSetter' in rewrite ? rewrite.ValueSetter : rewrite;

/** Applies the rewrites of a plan to data or to a representation, in place. */
export function applyRewrites(
  value: unknown,
  rewrites: readonly FetchRewrite[] | undefined,
  isSubtype: IsSubtype,
): void {
  for (const rewrite of rewrites ?? [])
    if ('KeyRenamer' in rewrite) {
      const { path, renameKeyTo } = rewrite.KeyRenamer;
      visitLast(value, path, isSubtype, (object, key) => {
        if (key === renameKeyTo || !Object.hasOwn(object, key)) return;
        object[renameKeyTo] = object[key];
        delete object[key];
      });
    } else {
      const { path, setValueTo } = setterOf(rewrite);
      visitLast(value, path, isSubtype, (object, key) => void (object[key] = setValueTo));
    }
}

export const newValues = (rewrites: readonly FetchRewrite[] = []): string[] =>
  rewrites.flatMap((rewrite) => ('KeyRenamer' in rewrite ? [] : setterOf(rewrite).setValueTo));

function visitLast(
  value: unknown,
  path: readonly FetchNodePathSegment[],
  isSubtype: IsSubtype,
  visit: (object: Entity, key: string) => void,
  at = 0,
): void {
  const step = path[at];
  if (!isObject(value) || step === undefined) return;
  if (Array.isArray(value)) for (const item of value) visitLast(item, path, isSubtype, visit, at);
  else if ('TypenameEquals' in step) {
    if (fits(value, step.TypenameEquals, isSubtype)) visitLast(value, path, isSubtype, visit, at + 1);
  } else if (at === path.length - 1) visit(value, step.Key);
  else if (Object.hasOwn(value, step.Key)) visitLast(value[step.Key], path, isSubtype, visit, at + 1);
}
