/** Clients that were served, so that an endless queue does not fill the memory. */
const maxClients = 10_000;

interface Waiting {
  /** The API key and the address of a client. Empty if nobody said whose request it is. */
  readonly clients: readonly string[];
}

/**
 * Lets the clients of one queue take turns: the next entry is that of the key and address served
 * least recently. So neither many requests of a key nor many keys of an address delay others.
 */
export function createClientTurns() {
  /** The number of the last turn of each key and each address. */
  const lastTurns = new Map<string, number>();
  let turn = 0;

  /** The last turns of an entry's key and address, the latest first. */
  const turnsOf = ({ clients }: Waiting): number[] =>
    (clients.length > 0 ? clients : ['']).map((client) => lastTurns.get(client) ?? 0).sort((a, b) => b - a);

  const isEarlier = (a: readonly number[], b: readonly number[]): boolean => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
  };

  return {
    /** Removes the next entry from a queue, in which each client's own entries are in order. */
    takeNext<Entry extends Waiting>(queue: Entry[]): Entry | undefined {
      const [first] = queue;
      if (!first) return undefined;
      let [best, bestTurns] = [0, turnsOf(first)];
      for (const [index, entry] of queue.entries()) {
        const turns = turnsOf(entry);
        if (isEarlier(turns, bestTurns)) [best, bestTurns] = [index, turns];
      }
      const [next] = queue.splice(best, 1);
      if (queue.length === 0 || lastTurns.size > maxClients) lastTurns.clear();
      turn += 1;
      for (const client of next?.clients ?? []) lastTurns.set(client, turn);
      return next;
    },
  };
}
