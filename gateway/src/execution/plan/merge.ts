import { setProperty } from '@lectern/execution';
import { isJsonObject } from '@lectern/serving';

type Data = Record<string, unknown>;

/**
 * Merges the fields of a later response into an object. Two objects at the same key, or two lists of the same length,
 * are merged recursively. Any other value of `more` replaces the present value. Returns false if `more` is neither null
 * nor an object, or has the key `__proto__`. Does not change `more`, because @apollo/gateway may execute the plan again
 * with the same responses.
 */
export function merge(into: Data, more: unknown): boolean {
  if (more === null || more === undefined) return true;
  if (!isJsonObject(more)) return false;
  for (const key of Object.keys(more)) {
    if (key === '__proto__') return false;
    const present = into[key];
    const added = more[key];
    if (isJsonObject(present) && isJsonObject(added)) {
      if (!merge(present, added)) return false;
    } else if (Array.isArray(present) && Array.isArray(added) && present.length === added.length) {
      if (!mergeLists(present, added)) return false;
    } else into[key] = copy(added);
  }
  return true;
}

/** The number of fields and list items that are copied in one step, so that a step takes less than a millisecond. */
const valuesPerStep = 2_000;

/** Returns the progress of a merge: the number of values so far, and the number at which it pauses next. */
export const startMerge = () => ({ values: 0, pauseAbove: valuesPerStep });

/** Merges a large response like `merge`, but pauses after each step. */
export function* mergeInSteps(into: Data, more: unknown, progress = startMerge()): Generator<void, boolean> {
  if (!isJsonObject(more)) return merge(into, more);
  for (const key of Object.keys(more)) {
    const added = more[key];
    const isNew = isNested(added) && into[key] === undefined && key !== '__proto__';
    const copied = isNew ? yield* copyInSteps(added, progress) : added;
    // During a pause, another fetch may have merged its response, so the key may be set now.
    if (isNew && into[key] === undefined) into[key] = copied;
    else if (!merge(into, { [key]: copied })) return false;
  }
  return true;
}

function* copyInSteps(
  value: Data | readonly unknown[],
  progress: ReturnType<typeof startMerge>,
): Generator<void, unknown> {
  if (progress.values > progress.pauseAbove) {
    progress.pauseAbove = progress.values + valuesPerStep;
    yield;
  }
  if (Array.isArray(value)) {
    progress.values += value.length;
    const list: unknown[] = [];
    for (const item of value) list.push(isNested(item) ? yield* copyInSteps(item, progress) : item);
    return list;
  }
  const fields = Object.entries(value);
  progress.values += fields.length;
  const result: Data = {};
  for (const [key, field] of fields)
    setProperty(result, key, isNested(field) ? yield* copyInSteps(field, progress) : field);
  return result;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copy);
  if (!isJsonObject(value)) return value;
  const result: Data = {};
  for (const key of Object.keys(value)) setProperty(result, key, copy(value[key]));
  return result;
}

function mergeLists(into: unknown[], more: readonly unknown[]): boolean {
  for (const [index, added] of more.entries()) {
    const present = into[index];
    if (!isJsonObject(present) || !isJsonObject(added)) into[index] = copy(added);
    else if (!merge(present, added)) return false;
  }
  return true;
}

const isNested = (value: unknown): value is Data | readonly unknown[] => typeof value === 'object' && value !== null;
