/**
 * Returns the index of a number, such as a verse's ordinal, in an ascending list. Returns -1 if the
 * list lacks it.
 */
export function indexOfSorted(sorted: ArrayLike<number>, wanted: number): number {
  const index = firstIndexFrom(sorted, wanted);
  return sorted[index] === wanted ? index : -1;
}

/**
 * Returns the index of the first number in an ascending list that is not less than `wanted`.
 * Returns the list's length if there is none.
 */
export function firstIndexFrom(sorted: ArrayLike<number>, wanted: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
