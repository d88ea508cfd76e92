/** The time after which earlier use counts half, in milliseconds. */
const halfLifeMs = 1_000;

/** The maximum number of clients that are remembered, so that many addresses cannot fill the memory. */
const maxClients = 10_000;

/** Recent milliseconds above which a client is heavy, about 7 % of one core. It waits in each turn that is used up. */
const heavyMs = 100;

/** The weight at which all uses are written anew. Numbers may be larger, up to 2 to the power of 1,024. */
const maxWeight = 2 ** 500;

/** Later use weighs more, instead of earlier less, so that a use changes only when its client computes. */
export interface ClientUse {
  weightedMs: number;
}

interface Waiting {
  /** The API key and the address of a client. Empty if the client is unknown. */
  readonly clients: readonly string[];
}

const unknownClient = [''];

/**
 * Measures what each key and address has lately computed in this process, and lets queues take turns by it. So neither
 * many requests of a key nor many keys at an address delay other clients.
 */
export function createClientUsage(now: () => number) {
  const uses = new Map<string, ClientUse>();
  let weighsOneAt = now();

  const weightAt = (at: number): number => 2 ** ((at - weighsOneAt) / halfLifeMs);

  const useOf = (client: string): ClientUse => {
    const known = uses.get(client);
    if (known) return known;
    if (uses.size >= maxClients) forgetIdleClients();
    const use = { weightedMs: 0 };
    uses.set(client, use);
    return use;
  };

  const forgetIdleClients = (): void => {
    const weight = weightAt(now());
    for (const [client, { weightedMs }] of uses) if (weightedMs < weight) uses.delete(client);
    if (uses.size >= maxClients) uses.clear();
  };

  const lowerWeights = (at: number): void => {
    // The weight is infinite if nothing was computed for 17 minutes. Earlier use then counts as none.
    const weight = weightAt(at);
    for (const use of uses.values()) use.weightedMs /= weight;
    weighsOneAt = at;
  };

  /** Returns the recent use of a client's key and address, the larger one first. */
  const compared = (clients: readonly string[]): number[] =>
    (clients.length > 0 ? clients : unknownClient)
      .map((client) => uses.get(client)?.weightedMs ?? 0)
      .sort((a, b) => b - a);

  const isLess = (a: readonly number[], b: readonly number[]): boolean => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
  };

  return {
    usesOf: (clients: readonly string[]): readonly ClientUse[] =>
      (clients.length > 0 ? clients : unknownClient).map(useOf),

    /** Adds computing time that a client has used until `at`. */
    add(clientUses: readonly ClientUse[], ms: number, at = now()): void {
      if (weightAt(at) > maxWeight) lowerWeights(at);
      const weight = weightAt(at);
      for (const use of clientUses) use.weightedMs += weight * ms;
    },

    isHeavy(clientUses: readonly ClientUse[], at = now()): boolean {
      const heavy = heavyMs * weightAt(at);
      return clientUses.some(({ weightedMs }) => weightedMs >= heavy);
    },

    /** Removes an entry of the client that has lately used least: the first, or what `isBefore` prefers. */
    takeNext<Entry extends Waiting>(queue: Entry[], isBefore?: (a: Entry, b: Entry) => boolean): Entry | undefined {
      let best = queue[0];
      if (best === undefined) return undefined;
      let bestIndex = 0;
      let lowest = compared(best.clients);
      for (let index = 1; index < queue.length; index += 1) {
        const entry = queue[index];
        if (!entry) continue;
        const use = compared(entry.clients);
        if (!isLess(use, lowest) && (isLess(lowest, use) || !isBefore?.(entry, best))) continue;
        [best, bestIndex, lowest] = [entry, index, use];
      }
      queue.splice(bestIndex, 1);
      return best;
    },
  };
}

export type ClientUsage = ReturnType<typeof createClientUsage>;
