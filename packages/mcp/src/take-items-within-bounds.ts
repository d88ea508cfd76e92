export interface Bounds {
  readonly maxItems: number;
  readonly maxCharacters: number;
}

/**
 * Returns the first items within the bounds. Returns the first item even if it has more than
 * `maxCharacters`.
 */
export function takeWithin<Item>(
  items: readonly Item[],
  charactersOf: (item: Item) => number,
  { maxItems, maxCharacters }: Bounds,
): Item[] {
  const taken: Item[] = [];
  let characters = 0;
  for (const item of items.slice(0, maxItems)) {
    characters += charactersOf(item);
    if (characters > maxCharacters && taken.length > 0) break;
    taken.push(item);
  }
  return taken;
}
