export interface Bounds {
  readonly maxItems: number;
  readonly maxCharacters: number;
}

/** Returns the first items that fit, at least one if there is one. */
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
