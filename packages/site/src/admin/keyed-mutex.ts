/**
 * Acts on one thing wait for each other, so that the second of two clicks sees what the first has done. Between processes the store
 * itself decides who comes first.
 */
export function createKeyedMutex() {
  const last = new Map<string, Promise<void>>();
  return async (id: string, act: () => Promise<void>): Promise<void> => {
    const turn = (last.get(id) ?? Promise.resolve()).then(act);
    // What fails is told to the one who asked; the next in line has its turn all the same.
    const settled = turn.catch(() => undefined);
    last.set(id, settled);
    try {
      await turn;
    } finally {
      if (last.get(id) === settled) last.delete(id);
    }
  };
}
