import type { RawError } from '../response';

type Path = readonly (string | number)[];

/**
 * Returns the errors of a fetch of entities with other paths. The paths of the subgraph begin with
 * `_entities` and an index. The returned paths lead to the same values in the merged data.
 */
export function locateEntityErrors(
  errors: readonly RawError[],
  data: unknown,
  path: Path,
  /** The index of each fetched entity among all entities at the path. */
  indexes: readonly number[],
): RawError[] {
  const entityPaths: Path[] = [];
  collectPaths(data, path, 0, [], entityPaths);
  return errors.map((error) => {
    const [, index] = error.path ?? [];
    if (error.path === undefined) return error;
    if (typeof index !== 'number') return { ...error, path: [...path, ...error.path] };
    return { ...error, path: [...(entityPaths[indexes[index] ?? -1] ?? []), ...error.path.slice(2)] };
  });
}

/** Collects the paths of the entities at a path, without nulls. */
function collectPaths(value: unknown, path: Path, at: number, parent: Path, found: Path[]): void {
  if (value === null || value === undefined) return;
  const key = path[at];
  if (key === undefined) found.push(parent);
  else if (key !== '@') collectPaths((value as Record<string, unknown>)[key], path, at + 1, [...parent, key], found);
  else
    for (const [index, item] of (value as readonly unknown[]).entries())
      collectPaths(item, path, at + 1, [...parent, index], found);
}
