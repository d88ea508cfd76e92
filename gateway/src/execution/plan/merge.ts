import { isJsonObject } from '@lectern/serving';

type Data = Record<string, unknown>;

/**
 * Merges the fields of a later response into an object, without a copy. Objects and lists at the same key are merged.
 * Null replaces nothing, and a `__typename` of an interface does not replace one of `objectTypes`.
 */
export function createMerge(objectTypes: ReadonlySet<string>) {
  const merge = (into: Data, more: Data): void => {
    for (const key of Object.keys(more)) {
      const present = into[key];
      const added = more[key];
      // A response key that is `__proto__` was renamed, so no subgraph needs to send one.
      if (key === '__proto__') continue;
      if (isJsonObject(present) && isJsonObject(added)) merge(present, added);
      else if (Array.isArray(present) && Array.isArray(added)) mergeLists(present, added);
      else if (added === null || added === undefined) into[key] = Object.hasOwn(into, key) ? present : null;
      else if (key !== '__typename' || !objectTypes.has(String(present))) into[key] = added;
    }
  };
  const mergeLists = (into: unknown[], more: readonly unknown[]): void => {
    for (const [index, added] of more.entries()) {
      const present = into[index];
      if (isJsonObject(present) && isJsonObject(added)) merge(present, added);
      else if (Array.isArray(present) && Array.isArray(added)) mergeLists(present, added);
      else if (added !== null && added !== undefined) into[index] = added;
    }
  };
  return merge;
}
