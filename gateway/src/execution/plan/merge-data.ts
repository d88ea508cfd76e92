type Data = Record<string, unknown>;

/**
 * Merges the fields of a later response into an object. Values that both objects have are merged
 * recursively. Returns false if `more` is not an object or has the key `__proto__`. Leaves `more`
 * unchanged, because @apollo/gateway may execute the plan again with the same responses.
 */
export function merge(into: Data, more: unknown): boolean {
  if (more === null || more === undefined) return true;
  if (!isObject(more)) return false;
  for (const key of Object.keys(more)) {
    if (key === '__proto__') return false;
    const present = into[key];
    const added = more[key];
    if (isObject(present) && isObject(added)) {
      if (!merge(present, added)) return false;
    } else if (Array.isArray(present) && Array.isArray(added) && present.length === added.length) {
      if (!mergeLists(present, added)) return false;
    } else into[key] = copy(added);
  }
  return true;
}

function mergeLists(into: unknown[], more: readonly unknown[]): boolean {
  for (const [index, added] of more.entries()) {
    const present = into[index];
    if (!isObject(present) || !isObject(added)) into[index] = copy(added);
    else if (!merge(present, added)) return false;
  }
  return true;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const result: Data = {};
  for (const key of Object.keys(value)) {
    // A custom scalar may hold any key. An assignment to `__proto__` would set the prototype.
    if (key === '__proto__')
      Object.defineProperty(result, key, {
        value: copy(value[key]),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else result[key] = copy(value[key]);
  }
  return result;
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
