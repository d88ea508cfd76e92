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

/** Merges a large response as `merge` does. Yields between steps of less than a millisecond. */
export function* mergeInSteps(into: Data, more: Readonly<Data>): Generator<void, boolean> {
  const count = { items: 0 };
  for (const key of Object.keys(more)) {
    if (into[key] === undefined && key !== '__proto__') into[key] = yield* copyInSteps(more[key], count);
    else if (!merge(into, { [key]: more[key] })) return false;
  }
  return true;
}

/** The number of list items that are copied in less than a millisecond. */
const itemsPerStep = 200;

function* copyInSteps(value: unknown, count: { items: number }): Generator<void, unknown> {
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const item of value) {
      count.items += 1;
      if (count.items % itemsPerStep === 0) yield;
      list.push(yield* copyInSteps(item, count));
    }
    return list;
  }
  if (!isObject(value) || !Object.values(value).some((inner) => typeof inner === 'object')) return copy(value);
  const result: Data = {};
  for (const key of Object.keys(value)) setProperty(result, key, yield* copyInSteps(value[key], count));
  return result;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isObject(value)) return value;
  const result: Data = {};
  for (const key of Object.keys(value)) setProperty(result, key, copy(value[key]));
  return result;
}

/** Sets a property that may have any name. An assignment to `__proto__` would set the prototype. */
export function setProperty(object: Data, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  else object[key] = value;
}

function mergeLists(into: unknown[], more: readonly unknown[]): boolean {
  for (const [index, added] of more.entries()) {
    const present = into[index];
    if (!isObject(present) || !isObject(added)) into[index] = copy(added);
    else if (!merge(present, added)) return false;
  }
  return true;
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
