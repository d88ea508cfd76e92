import { LRUCache } from 'lru-cache';

/** By the length of a plan's JSON, as the engine measures its own cache. */
const mostCharacters = 30 * 1024 * 1024;

/** The plans of operations, so that none is planned twice: the engine's own cache tells nobody whether it had one. */
export function createPlanCache<Plan extends object>(onLook: (result: 'hit' | 'miss') => void) {
  const plans = new LRUCache<string, Plan>({
    maxSize: mostCharacters,
    sizeCalculation: (plan, key) => JSON.stringify(plan).length + key.length,
  });
  return {
    async get(key: string): Promise<Plan | undefined> {
      const plan = plans.get(key);
      onLook(plan ? 'hit' : 'miss');
      return plan;
    },
    set: async (key: string, plan: Plan): Promise<void> => void plans.set(key, plan),
    delete: async (key: string): Promise<boolean> => plans.delete(key),
    clear: (): void => plans.clear(),
  };
}
