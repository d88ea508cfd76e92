/**
 * Runs functions with the same key one after another.
 * Functions with different keys run concurrently.
 *
 * If an operator clicks a button twice, the second request therefore sees the effect of the first.
 * The mutex is local to this process. Between processes, the transactions of the store decide.
 */
export function createKeyedMutex() {
  const tails = new Map<string, Promise<void>>();
  /** Settles as `run` settles. A rejection does not stop the functions that wait. */
  return async (key: string, run: () => Promise<void>): Promise<void> => {
    const result = (tails.get(key) ?? Promise.resolve()).then(run);
    const tail = result.catch(() => undefined);
    tails.set(key, tail);
    try {
      await result;
    } finally {
      if (tails.get(key) === tail) tails.delete(key);
    }
  };
}
