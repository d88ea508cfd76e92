/** The time after which earlier use counts half, in milliseconds. */
const halfLifeMs = 1_000;

/** The maximum number of clients that are remembered, so that many addresses cannot fill the memory. */
const maxClients = 10_000;

/**
 * The recent use above which a client is heavy, in milliseconds of computing time: about 7 % of one core. The requests
 * of a heavy client wait whenever a turn of the event loop is used up.
 */
const heavyMs = 100;

interface Usage {
  ms: number;
  at: number;
}

interface Waiting {
  /** The API key and the address of a client. Empty if the client is unknown. */
  readonly clients: readonly string[];
}

const unknownClient = [''];

/**
 * Measures the computing time that each API key and each address has lately used in this process, and lets the entries
 * of a queue take turns by it. So neither many requests of one key nor many keys at one address delay other clients,
 * however cheap each request is.
 */
export function createClientUsage(now: () => number) {
  const usages = new Map<string, Usage>();

  const recentMs = (client: string, at: number): number => {
    const usage = usages.get(client);
    return usage ? usage.ms * 2 ** ((usage.at - at) / halfLifeMs) : 0;
  };

  const forgetIdleClients = (at: number): void => {
    for (const client of usages.keys()) if (recentMs(client, at) < 1) usages.delete(client);
    if (usages.size > maxClients) usages.clear();
  };

  /** Returns the recent use of a client's key and address, the larger one first. */
  const useOf = (clients: readonly string[], at: number): number[] =>
    (clients.length > 0 ? clients : unknownClient).map((client) => recentMs(client, at)).sort((a, b) => b - a);

  const isLess = (a: readonly number[], b: readonly number[]): boolean => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
  };

  return {
    /** Adds computing time that a client has used. */
    add(clients: readonly string[], ms: number): void {
      const at = now();
      for (const client of clients.length > 0 ? clients : unknownClient) {
        const usage = usages.get(client);
        if (usage) [usage.ms, usage.at] = [recentMs(client, at) + ms, at];
        else usages.set(client, { ms, at });
      }
      if (usages.size > maxClients) forgetIdleClients(at);
    },

    isHeavy(clients: readonly string[]): boolean {
      const at = now();
      return (clients.length > 0 ? clients : unknownClient).some((client) => recentMs(client, at) >= heavyMs);
    },

    /**
     * Removes the next entry from a queue and returns it: an entry of the client that has lately used least. The first
     * of its entries is chosen, or the one for which `isBefore` holds.
     */
    takeNext<Entry extends Waiting>(queue: Entry[], isBefore?: (a: Entry, b: Entry) => boolean): Entry | undefined {
      let best = queue[0];
      if (best === undefined) return undefined;
      if (queue.length === 1) return queue.pop();
      const at = now();
      let bestIndex = 0;
      let leastUse = useOf(best.clients, at);
      for (const [index, entry] of queue.entries()) {
        if (entry.clients === best.clients && !isBefore?.(entry, best)) continue;
        const use = useOf(entry.clients, at);
        if (!isLess(use, leastUse) && (isLess(leastUse, use) || !isBefore?.(entry, best))) continue;
        [best, bestIndex, leastUse] = [entry, index, use];
      }
      queue.splice(bestIndex, 1);
      return best;
    },
  };
}

export type ClientUsage = ReturnType<typeof createClientUsage>;
