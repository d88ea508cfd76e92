/**
 * Returns a function that caches the stem of each word. Stemming is the slowest step of indexing a
 * word, and the default translations have only 12,000 to 28,000 different words each.
 */
export function memoizeStems(stemOf: (folded: string) => string): (folded: string) => string {
  const stems = new Map<string, string>();
  return (folded) => {
    const stem = stems.get(folded) ?? stemOf(folded);
    stems.set(folded, stem);
    return stem;
  };
}
