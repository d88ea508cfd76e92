import type { Replica } from './replica';
import type { RetryBudget } from './retry-budget';
import type { Attempt } from './send-request';
import type { SubgraphFetch, SubgraphRequest } from './subgraph-fetch';
import type { UpstreamError } from './upstream-error';
import { upstreamError } from './upstream-error';

export interface HttpFetchOptions {
  /** At least one. */
  replicas: readonly Replica[];
  /** From the question to the whole answer, second questions included, in milliseconds. */
  timeoutMs: number;
  /** How long one replica may take before another is asked as well, in milliseconds. */
  hedgeMs: number;
  budget: RetryBudget;
}

/**
 * Asks a subgraph over HTTP: the least busy of its replicas, and once more where that helps within the deadline. A replica that fails is made up for by
 * another, one that is slow is raced by another, and a lone one is asked again when nothing of an answer came. Rejects on anything but a
 * GraphQL answer in time.
 */
export function createHttpFetch({ replicas, timeoutMs, hedgeMs, budget }: HttpFetchOptions): SubgraphFetch {
  let turn = 0;

  /** The least busy of the best standing, in turns where there is nothing to choose between them. Null: there is none that is worth waiting for. */
  const choose = (not: Replica | null): Replica | null => {
    turn = (turn + 1) % replicas.length;
    let best: Replica | null = null;
    for (let step = 0; step < replicas.length; step += 1) {
      const replica = replicas[(turn + step) % replicas.length];
      if (!replica || replica === not || replica.standing() === 'out' || replica.isFull()) continue;
      if (!best || isBetter(replica, best)) best = replica;
    }
    return best;
  };

  return (request, { headers, acceptsRawBody = false }) =>
    new Promise((resolve, reject) => {
      const chosen = choose(null);
      if (!chosen) return reject(upstreamError('absent', 'its replicas are all left out or have too much to do'));
      const body = JSON.stringify(request);
      let first: Attempt | null = null;
      let second: Attempt | null = null;
      let underWay = 0;
      let patience: NodeJS.Timeout | undefined;

      const end = (fault: UpstreamError) => {
        clearTimeout(deadline);
        clearTimeout(patience);
        first?.cancel(fault);
        second?.cancel(fault);
      };
      const follow = (attempt: Attempt, replica: Replica): Attempt => {
        underWay += 1;
        attempt.answer.then(
          (answer) => {
            // Who was asked first and is overtaken has been slow; who was asked second is merely not needed any more.
            end(attempt === second ? overtaken : unneeded);
            budget.earn();
            resolve(answer);
          },
          (fault: UpstreamError) => {
            underWay -= 1;
            if (!second && fault.kind !== 'slow')
              askAgain(choose(replica) ?? (fault.kind === 'absent' && replica.standing() !== 'out' ? replica : null));
            if (underWay > 0) return;
            end(unneeded);
            reject(fault);
          },
        );
        return attempt;
      };
      const askAgain = (replica: Replica | null) => {
        if (replica && mayRepeat(request) && budget.spend())
          second = follow(replica.ask(body, { headers, acceptsRawBody, again: true }), replica);
      };

      const deadline = setTimeout(
        () => end(upstreamError('slow', `it did not answer within ${timeoutMs} ms`)),
        timeoutMs,
      );
      if (replicas.length > 1 && hedgeMs < timeoutMs) {
        patience = setTimeout(() => {
          const other = second ? null : choose(chosen);
          if (other?.standing() === 'in') askAgain(other);
        }, hedgeMs);
      }
      first = follow(chosen.ask(body, { headers, acceptsRawBody, again: false }), chosen);
    });
}

const isBetter = (one: Replica, other: Replica): boolean =>
  one.standing() === other.standing() ? one.busy() < other.busy() : one.standing() === 'in';

/** Whatever a mutation does could have been done before its answer was lost. A query that has the word in it is merely not repeated. */
const mayRepeat = ({ query }: SubgraphRequest): boolean => !query.includes('mutation');

const overtaken = upstreamError('slow', 'another replica was asked later and answered first');
const unneeded = upstreamError('unneeded', 'another replica has answered');
