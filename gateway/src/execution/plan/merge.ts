type Data = Record<string, unknown>;

/**
 * Adds what a later fetch has found of an object; what both have is merged in turn. False for what is no object, and for a name that no
 * field of ours may have. `more` stays as it came, also when something is merged into what was taken from it: should the engine have to run the plan, it
 * begins with the answers as they were.
 */
export function merge(into: Data, more: unknown): boolean {
  if (more === null || more === undefined) return true;
  if (!isObject(more)) return false;
  for (const key of Object.keys(more)) {
    if (key === '__proto__') return false;
    const known = into[key];
    const added = more[key];
    if (isObject(known) && isObject(added)) {
      if (!merge(known, added)) return false;
    } else if (Array.isArray(known) && Array.isArray(added) && known.length === added.length) {
      if (!mergeLists(known, added)) return false;
    } else into[key] = copied(added);
  }
  return true;
}

function mergeLists(into: unknown[], more: readonly unknown[]): boolean {
  for (const [index, added] of more.entries()) {
    const known = into[index];
    if (!isObject(known) || !isObject(added)) into[index] = copied(added);
    else if (!merge(known, added)) return false;
  }
  return true;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (!isObject(value)) return value;
  const copy: Data = {};
  for (const key of Object.keys(value)) {
    // A scalar of a subgraph's own may hold anything, and that name would set the prototype.
    if (key === '__proto__')
      Object.defineProperty(copy, key, {
        value: copied(value[key]),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else copy[key] = copied(value[key]);
  }
  return copy;
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
