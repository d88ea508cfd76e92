/**
 * Creates the function that finds matches in the words `from` to before `to` of one verse. A match has a different
 * word for each of `count` filters (at most 5), and at most `within` words from its first to its last word. `marks`
 * has one bit for each filter that a word passes. The function sets `hits` to 1 for each word of a match, and returns
 * whether there are any. It allocates no memory, because a search calls it for every verse.
 */
export function createMatcher(count: number, { within, ordered }: { within: number; ordered: boolean }) {
  if (count === 1) return markedWords;
  const findMatches = ordered ? createOrderedMatcher(count, within) : createAnyMatcher(count, within);
  return (marks: Uint8Array, from: number, to: number, hits: Uint8Array): boolean =>
    hasAll(marks, from, to, count) && findMatches(marks, from, to, hits);
}

function markedWords(marks: Uint8Array, from: number, to: number, hits: Uint8Array): boolean {
  let all = 0;
  for (let word = from; word < to; word += 1) {
    const mark = marks[word] ?? 0;
    hits[word] = mark;
    all |= mark;
  }
  return all === 1;
}

/** Returns whether a verse has at least `count` words that pass a filter, and at least one word for each filter. */
function hasAll(marks: Uint8Array, from: number, to: number, count: number): boolean {
  let [all, words] = [0, 0];
  for (let word = from; word < to; word += 1) {
    const mark = marks[word] ?? 0;
    all |= mark;
    // Adds 1 for a mark of 1 to 31, without a branch, because the processor would often mispredict the branch.
    words += (mark + 31) >> 5;
  }
  return words >= count && all === (1 << count) - 1;
}

/** For each first word it takes the nearest next words, so it finds the match that ends earliest. */
function createOrderedMatcher(count: number, within: number) {
  const found = new Uint32Array(count);
  return (marks: Uint8Array, from: number, to: number, hits: Uint8Array): boolean => {
    let isFound = false;
    for (let start = from; start < to; start += 1) {
      if (!((marks[start] ?? 0) & 1)) continue;
      const end = Math.min(start + within + 1, to);
      let next = 0;
      for (let word = start; word < end && next < count; word += 1)
        if (((marks[word] ?? 0) >> next) & 1) {
          found[next] = word;
          next += 1;
        }
      if (next === count) {
        isFound = true;
        for (const word of found) hits[word] = 1;
      } else if (end === to) break;
    }
    return isFound;
  };
}

/** If a match begins at a word, all words within the distance that pass any filter are hits. */
function createAnyMatcher(count: number, within: number) {
  const everyFilter = (1 << count) - 1;
  /**
   * For each filter, the sets of filters without it. A set of filters is a number from 0 to 31: set 5 (binary 101)
   * has the filters 0 and 2. The sets without a filter are bits of one number: bit 5 stands for set 5.
   */
  const without = Uint32Array.from({ length: count }, (_, filter) => {
    let sets = 0;
    for (let set = 0; set <= everyFilter; set += 1) if (!((set >> filter) & 1)) sets |= 1 << set;
    return sets;
  });

  /** Returns whether a match begins at `start`. Collects the sets of filters for which there are different words. */
  function beginsMatch(marks: Uint8Array, start: number, end: number): boolean {
    const first = marks[start] ?? 0;
    if (first === 0) return false;
    // First tries the simplest choice: each word takes the first filter that has no word yet. This finds most matches.
    let open = everyFilter & ~(first & -first);
    for (let word = start + 1; word < end; word += 1) {
      const fits = (marks[word] ?? 0) & open;
      open &= ~(fits & -fits);
      if (open === 0) return true;
    }
    if (!hasAll(marks, start, end, count)) return false;
    let sets = 0;
    for (let filter = 0; filter < count; filter += 1) if ((first >> filter) & 1) sets |= 1 << (1 << filter);
    for (let word = start + 1; word < end; word += 1) {
      const [mark, before] = [marks[word] ?? 0, sets];
      for (let filter = 0; filter < count; filter += 1)
        sets |= ((before & (without[filter] ?? 0)) << (1 << filter)) & -((mark >> filter) & 1);
      if ((sets >>> everyFilter) & 1) return true;
    }
    return false;
  }

  return (marks: Uint8Array, from: number, to: number, hits: Uint8Array): boolean => {
    let isFound = false;
    // Of the current hits at which a match begins, only the last matters, because its match extends furthest.
    for (let [next, end] = [from, from + 1]; next < to; ) {
      let start = end - 1;
      while (start >= next && !beginsMatch(marks, start, Math.min(start + within + 1, to))) start -= 1;
      const begins = start >= next;
      next = end;
      end = Math.min(begins ? start + within + 1 : next + 1, to);
      if (!begins) continue;
      isFound = true;
      for (let word = start; word < end; word += 1) if (marks[word]) hits[word] = 1;
      if (end === to) break;
    }
    return isFound;
  };
}
