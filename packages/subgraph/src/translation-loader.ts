import type { WorkBudget } from '@lectern/serving';
import DataLoader from 'dataloader';

interface LoadRequest<Translation, Key> {
  readonly translation: Translation;
  readonly keys: readonly Key[];
  readonly isSingle: boolean;
}

/** The code behind 200 loads runs for a few milliseconds, so the next batch waits. A chapter has at most 176 verses. */
const maxLoadsPerTurn = 200;

interface LoaderOptions<Translation, Key, Value> {
  /** Returns one value for each key, in the order of the keys. */
  readonly loadBatch: (translation: Translation, keys: readonly Key[]) => readonly Value[];
  /** Prepares a translation before its batches are loaded, yielding between short steps. */
  readonly prepare?: (translation: Translation) => Generator<void, void>;
  /** The number of keys in a batch, which should take a few milliseconds. Default: 1,000. */
  readonly keysPerBatch?: number;
}

/** Creates a loader that joins the loads of one tick into a batch for each translation, and caches nothing. */
export function createPerTranslationLoader<Translation, Key, Value>(
  work: WorkBudget,
  options: LoaderOptions<Translation, Key, Value>,
) {
  const createLoader = () => {
    const inTurn = createTurnQueue(work);
    return new DataLoader<LoadRequest<Translation, Key>, Value | Value[] | undefined>(
      async (requests) => {
        const loaded = await inTurn(requests.length === maxLoadsPerTurn, () =>
          work.runInSteps(loadByTranslation(requests, options)),
        );
        return requests.map(({ isSingle }, index) => (isSingle ? loaded[index]?.[0] : loaded[index]));
      },
      { cache: false, maxBatchSize: maxLoadsPerTurn },
    );
  };
  // The loader is created at its first use, because most requests use few loaders of their context.
  let loader: ReturnType<typeof createLoader> | null = null;
  const load = (request: LoadRequest<Translation, Key>) => (loader ??= createLoader()).load(request);
  return {
    load: (translation: Translation, key: Key) => load({ translation, keys: [key], isSingle: true }) as Promise<Value>,

    loadMany: (translation: Translation, keys: readonly Key[]) =>
      load({ translation, keys, isSingle: false }) as Promise<Value[]>,
  };
}

/** Loads a batch by translation. Yields before each call of `loadBatch`, so that the execution can pause there. */
function* loadByTranslation<Translation, Key, Value>(
  requests: readonly LoadRequest<Translation, Key>[],
  { loadBatch, prepare, keysPerBatch = 1_000 }: LoaderOptions<Translation, Key, Value>,
): Generator<void, Value[][]> {
  const loaded: Value[][] = requests.map(() => []);
  for (const translation of new Set(requests.map((request) => request.translation))) {
    const group = [...requests.entries()].filter(([, request]) => request.translation === translation);
    const keys = group.flatMap(([, request]) => request.keys);
    if (prepare) yield* prepare(translation);
    const values: Value[] = [];
    for (let from = 0; from < keys.length; from += keysPerBatch) {
      yield;
      values.push(...loadBatch(translation, keys.slice(from, from + keysPerBatch)));
    }
    let offset = 0;
    for (const [index, { keys: ownKeys }] of group) {
      loaded[index] = values.slice(offset, offset + ownKeys.length);
      offset += ownKeys.length;
    }
  }
  return loaded;
}

/** Loads batch after batch. After a full one it waits, so that each turn has at most one full batch. */
function createTurnQueue(work: WorkBudget) {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return <Loaded>(isFull: boolean, load: () => Loaded | Promise<Loaded>): Promise<Loaded> => {
    const loaded = pending === 0 ? (async () => load())() : last.then(load);
    pending += 1;
    last = loaded
      .catch(() => {})
      .then(() => (isFull ? work.resume(() => {}) : undefined))
      .finally(() => (pending -= 1));
    return loaded;
  };
}
