type Data = Record<string, unknown>;

/** Adds what a later fetch has found of an object; what both have is merged in turn. False for a name that no field of ours may have. */
export function merge(into: Data, more: unknown): boolean {
  if (!isObject(more)) return true;
  for (const key of Object.keys(more)) {
    if (key === '__proto__') return false;
    const known = into[key];
    const added = more[key];
    if (isObject(known) && isObject(added)) {
      if (!merge(known, added)) return false;
    } else if (Array.isArray(known) && Array.isArray(added) && known.length === added.length) {
      if (!mergeLists(known, added)) return false;
    } else into[key] = added;
  }
  return true;
}

function mergeLists(into: unknown[], more: readonly unknown[]): boolean {
  for (const [index, added] of more.entries()) {
    const known = into[index];
    if (!isObject(known) || !isObject(added)) into[index] = added;
    else if (!merge(known, added)) return false;
  }
  return true;
}

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null && !Array.isArray(value);
