import { type BudgetHeaders, createWriteBudgetHeaders, type Hint, type WorkBudget } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import { attribute, noSpan, type Span } from '@lectern/telemetry';
import type { Awaitable } from '../shared/awaitable';
import type { Replica } from './replica';
import type { Attempt } from './request';
import { type UpstreamError, upstreamError } from './response';

export interface SubgraphFetchOptions {
  readonly requestId: string;
  /** The id of the API key. Undefined if the request needs no key. */
  readonly keyId?: string;
  /** The restricted translations that the API key may read, separated by blanks. None by default. */
  readonly rights?: string | undefined;
  /** The span of the client's request. `measuredFetch` replaces this span by that of the fetch. */
  readonly span?: Span;
  /** Whether the response may have the unparsed `rawBody` instead of `data`. */
  readonly acceptsRawBody?: boolean;
  readonly onHint?: (hint: Hint) => void;
  /** Called with the time for which each response may be cached, in seconds. */
  readonly onMaxAge?: (seconds: number) => void;
  /** Headers to send: those of the client that are forwarded, and those of the span. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The budget of computing time, which subgraphs share. Absent if no client sent the request. */
  readonly work?: WorkBudget;
}

/** Sends a request to one subgraph, in this process or over HTTP. Rejects if there is no response. */
export type SubgraphFetch = (request: SubgraphRequest, options: SubgraphFetchOptions) => Awaitable<SubgraphResponse>;

/**
 * Creates the function that sends a request to the least busy replica of a subgraph, and at most
 * once again:
 * - to another replica, if the first replica fails other than by a timeout or by denying access,
 * - to another replica, if the first replica rejects the document because it serves another schema, or responds to the
 *   whole query with internal errors,
 * - to another replica, if the first replica does not respond within `hedgeMs` (the first response
 *   wins),
 * - to the first replica, if it refused the connection or closed it without a response, and no
 *   other replica can take the request.
 *
 * Rejects with an UpstreamError if there is no GraphQL response within `timeoutMs`.
 */
export function createReplicaFetch(
  replicas: readonly Replica[],
  { timeoutMs, hedgeMs }: { timeoutMs: number; hedgeMs: number },
): SubgraphFetch {
  const chooseReplica = createChooseReplica(replicas);
  const budget = createRetryBudget();
  const writeBudgetHeaders = createWriteBudgetHeaders();

  return (request, { headers: moreHeaders, work, rights = '', span = noSpan, acceptsRawBody = false }) =>
    new Promise((resolve, reject) => {
      const firstReplica = chooseReplica(null);
      if (!firstReplica)
        return reject(upstreamError('unreachable', 'every replica has an open circuit or too many requests in flight'));
      const body = JSON.stringify(request);
      const budgetHeaders = work ? writeBudgetHeaders(work) : noHeaders;
      let first: Attempt | null = null;
      let second: Attempt | null = null;
      let inFlight = 0;
      let hedge: NodeJS.Timeout | undefined;

      const finish = (error: UpstreamError) => {
        clearTimeout(timeout);
        clearTimeout(hedge);
        first?.cancel(error);
        second?.cancel(error);
      };
      const onFailure = (error: UpstreamError, replica: Replica, attempt: Attempt) => {
        inFlight -= 1;
        if (!second && error.kind === 'document-rejected') {
          // A replica that rejects a document has executed nothing, so even a mutation may be sent again, without the
          // budget.
          const other = chooseReplica(replica, fitsBetter);
          if (other) second = send(other, false);
        } else if (!second && error.kind !== 'timeout' && error.kind !== 'access-denied')
          sendAgain(chooseReplica(replica) ?? sameReplica(replica, error));
        if (inFlight > 0) return;
        finish(noLongerNeeded);
        describeSpan(span, replica, attempt.status(), second !== null);
        if (error.response) resolve(error.response);
        else reject(error);
      };
      const send = (replica: Replica, isRetry: boolean): Attempt => {
        const attempt = replica.send(body, { budgetHeaders, rights, moreHeaders, acceptsRawBody, isRetry });
        inFlight += 1;
        attempt.response.then(
          (response) => {
            // If the second attempt wins, the first replica was too slow, which counts as a failure. The second has not
            // failed.
            finish(attempt === second ? slowerThanHedge : noLongerNeeded);
            budget.add();
            describeSpan(span, replica, attempt.status(), attempt === second);
            resolve(response);
          },
          (error: UpstreamError) => onFailure(error, replica, attempt),
        );
        return attempt;
      };
      const sendAgain = (replica: Replica | null) => {
        if (replica && mayRepeat(request) && budget.spend()) second = send(replica, true);
      };

      const onTimeout = () => finish(upstreamError('timeout', `no response within ${timeoutMs} ms`));
      const timeout = setTimeout(onTimeout, timeoutMs);
      if (replicas.length > 1 && hedgeMs < timeoutMs) {
        hedge = setTimeout(() => {
          const other = second ? null : chooseReplica(firstReplica);
          if (other?.circuitState() === 'closed') sendAgain(other);
        }, hedgeMs);
      }
      first = send(firstReplica, false);
    });
}

/** Describes the HTTP request that ended the fetch. One span covers both attempts of a fetch. */
function describeSpan(span: Span, replica: Replica, status: number | null, isResent: boolean): void {
  if (!span.isRecorded) return;
  span.rename(`POST ${replica.pathname}`);
  span.set({
    ...replica.spanAttributes,
    ...(status !== null && { [attribute.httpResponseStatusCode]: status }),
    ...(isResent && { [attribute.httpRequestResendCount]: 1 }),
  });
}

/** Chooses the best replica, in turns if equal, without `except`, full ones and open circuits. Null if none is left. */
function createChooseReplica(replicas: readonly Replica[]) {
  let turn = 0;
  return (except: Replica | null, isBetter = isLessBusy): Replica | null => {
    turn = (turn + 1) % replicas.length;
    let best: Replica | null = null;
    for (let step = 0; step < replicas.length; step += 1) {
      const replica = replicas[(turn + step) % replicas.length];
      if (!replica || replica === except || replica.circuitState() === 'open' || replica.isFull()) continue;
      if (!best || isBetter(replica, best)) best = replica;
    }
    return best;
  };
}

const isLessBusy = (a: Replica, b: Replica): boolean => {
  if (a.circuitState() !== b.circuitState()) return a.circuitState() === 'closed';
  // A replica that fails at once has the fewest requests in flight.
  return a.hasFailed() === b.hasFailed() ? a.inFlight() < b.inFlight() : b.hasFailed();
};

/**
 * A replica that has rejected a document comes last, because rejecting at once leaves it the fewest requests in flight.
 */
const fitsBetter = (a: Replica, b: Replica): boolean =>
  a.hasRejectedDocument() === b.hasRejectedDocument() ? isLessBusy(a, b) : b.hasRejectedDocument();

/** Returns the same replica for a query after a closed connection, else null. */
const sameReplica = (replica: Replica, { kind }: UpstreamError): Replica | null =>
  kind === 'unreachable' && replica.circuitState() !== 'open' ? replica : null;

/** A mutation may have been executed even if its response was lost. A query with that word costs only the retry. */
const mayRepeat = ({ query }: SubgraphRequest): boolean => !query.includes('mutation');

const noHeaders: BudgetHeaders = [];

const slowerThanHedge = upstreamError('timeout', 'a hedged request to another replica was faster');
const noLongerNeeded = upstreamError('cancelled', 'another replica has responded');

/** The maximum number of saved-up retries: enough for the requests in flight when a replica fails. */
const maxRetries = 100;
/** The fraction of a retry that each response adds to the budget. */
const retriesPerResponse = 0.1;

/** Limits the retries, which could otherwise double the load of a subgraph that is slow or failing. */
function createRetryBudget() {
  let available = maxRetries;
  return {
    add(): void {
      available = Math.min(maxRetries, available + retriesPerResponse);
    },
    spend(): boolean {
      if (available < 1) return false;
      available -= 1;
      return true;
    },
  };
}
