import DataLoader from 'dataloader';

interface LoadRequest<Translation, Key> {
  readonly translation: Translation;
  readonly keys: readonly Key[];
  /**
   * Whether the request comes from `load`, whose caller receives the only value instead of an
   * array.
   */
  readonly isSingle: boolean;
}

/**
 * Creates a loader that batches the loads of one tick. `loadBatch` runs once for each translation,
 * with the keys of all calls, and returns one value for each key in the order of the keys. Nothing
 * is cached: create one loader for each request.
 */
export function createPerTranslationLoader<Translation, Key, Value>(
  loadBatch: (translation: Translation, keys: readonly Key[]) => readonly Value[],
) {
  const loader = new DataLoader<LoadRequest<Translation, Key>, Value | Value[] | undefined>(
    async (requests) => {
      const loaded = loadByTranslation(requests, loadBatch);
      return requests.map(({ isSingle }, index) => (isSingle ? loaded[index]?.[0] : loaded[index]));
    },
    { cache: false },
  );
  return {
    load: (translation: Translation, key: Key) =>
      loader.load({ translation, keys: [key], isSingle: true }) as Promise<Value>,

    /** Loads several values. Resolves with one value for each key, in the order of the keys. */
    loadMany: (translation: Translation, keys: readonly Key[]) =>
      loader.load({ translation, keys, isSingle: false }) as Promise<Value[]>,
  };
}

/**
 * Calls `loadBatch` once for each translation and gives each request its own slice of the values.
 */
function loadByTranslation<Translation, Key, Value>(
  requests: readonly LoadRequest<Translation, Key>[],
  loadBatch: (translation: Translation, keys: readonly Key[]) => readonly Value[],
): Value[][] {
  const loaded: Value[][] = requests.map(() => []);
  for (const translation of new Set(requests.map((request) => request.translation))) {
    const group = [...requests.entries()].filter(([, request]) => request.translation === translation);
    const values = loadBatch(
      translation,
      group.flatMap(([, request]) => request.keys),
    );
    let offset = 0;
    for (const [index, { keys }] of group) {
      loaded[index] = values.slice(offset, offset + keys.length);
      offset += keys.length;
    }
  }
  return loaded;
}
