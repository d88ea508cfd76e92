/**
 * Creates a function that finds matches in one verse: one word for each of `count` filters, all
 * different, with at most `within` words from the first to the last. `marks` has, for each word, one
 * bit for each filter that the word passes. The function sets `hits` of the words that match, and
 * returns how many there are. It allocates nothing, because a search calls it for every verse.
 */
export function createMatcher(count: number, { within, ordered }: { within: number; ordered: boolean }) {
  return ordered || count === 1 ? createOrderedMatcher(count, within) : createAnyMatcher(count, within);
}

/** For each first word, the others are the next ones that fit: no match ends earlier. */
function createOrderedMatcher(count: number, within: number) {
  return (marks: Uint8Array, length: number, hits: Uint8Array): number => {
    hits.fill(0, 0, length);
    for (let start = 0; start < length; start += 1) {
      if (!((marks[start] ?? 0) & 1)) continue;
      const end = Math.min(start + within + 1, length);
      if (walk(marks, { start, end }, count, null)) walk(marks, { start, end }, count, hits);
    }
    return sum(hits, length);
  };
}

/** Goes from word to word of a match. Returns whether all filters have a word. */
function walk(
  marks: Uint8Array,
  { start, end }: { start: number; end: number },
  count: number,
  hits: Uint8Array | null,
): boolean {
  let next = 0;
  for (let index = start; index < end && next < count; index += 1) {
    if (!(((marks[index] ?? 0) >> next) & 1)) continue;
    if (hits) hits[index] = 1;
    next += 1;
  }
  return next === count;
}

/**
 * Slides a window of `within` + 1 words over the verse. By Hall's theorem, each filter has a word of
 * its own if every set of filters has at least as many words as filters. In a window with a match
 * that begins at its first word, all words that pass a filter are hits.
 */
function createAnyMatcher(count: number, within: number) {
  const sets = 1 << count;
  const sizes = Uint8Array.from({ length: sets }, (_, set) => set.toString(2).replaceAll('0', '').length);
  /** How many words of the window pass at least one filter of each set. */
  const words = new Uint16Array(sets);

  const add = (mark: number, change: 1 | -1): void => {
    for (let set = 1; set < sets; set += 1) if (mark & set) words[set] = (words[set] ?? 0) + change;
  };
  /** Whether the other filters have words of their own if the first word belongs to one of its filters. */
  function beginsMatch(mark: number): boolean {
    for (let bit = 0; bit < count; bit += 1) {
      if (!((mark >> bit) & 1)) continue;
      let isMatch = true;
      for (let set = 1; set < sets && isMatch; set += 1)
        if (!((set >> bit) & 1)) isMatch = (words[set] ?? 0) - (mark & set ? 1 : 0) >= (sizes[set] ?? 0);
      if (isMatch) return true;
    }
    return false;
  }

  return (marks: Uint8Array, length: number, hits: Uint8Array): number => {
    hits.fill(0, 0, length);
    words.fill(0);
    let end = 0;
    let hitUntil = 0;
    for (let start = 0; start < length; start += 1) {
      for (; end < Math.min(start + within + 1, length); end += 1) if (marks[end]) add(marks[end] ?? 0, 1);
      const mark = marks[start] ?? 0;
      if (mark === 0) continue;
      if (beginsMatch(mark)) {
        for (let index = Math.max(start, hitUntil); index < end; index += 1) if (marks[index]) hits[index] = 1;
        hitUntil = end;
      }
      add(mark, -1);
    }
    return sum(hits, length);
  };
}

function sum(hits: Uint8Array, length: number): number {
  let total = 0;
  for (let index = 0; index < length; index += 1) total += hits[index] ?? 0;
  return total;
}
