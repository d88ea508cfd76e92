import type { Logger } from '@lectern/serving';
import { Pool } from 'undici';
import type { Attempt } from './send-request';
import { sendRequest } from './send-request';
import type { UpstreamError, UpstreamErrorKind } from './upstream-error';
import { upstreamError } from './upstream-error';

export interface ReplicaOptions {
  subgraph: string;
  url: string;
  /** The most connections that are kept. */
  connections: number;
  /** How long a connection may take to be made, and a probe to be answered. */
  timeoutMs: number;
  /** The `Authorization` of this moment; null for none. */
  pass: (() => string) | null;
  log: Logger;
  /** Called when the digest of the texts that it serves is known, and whenever it is another or not known any more. */
  onCorpus: () => void;
}

type Headers = Readonly<Record<string, string>>;

export interface Asking {
  /** Beside its own. */
  readonly headers?: Headers | undefined;
  /** As SubgraphFetch has it. */
  readonly acceptsRawBody: boolean;
  /** A second question, on a connection of its own. */
  readonly again: boolean;
}

/** `in`: answers, as far as is known. `absent`: left out because nothing listens there; that is found out in no time. `out`: left out for being slow or broken. */
export type Standing = 'in' | 'absent' | 'out';

/** The text of Psalms ten times over. A larger answer is no answer of a subgraph of ours. */
const mostAnswerBytes = 32 * 1024 * 1024;
const mostProbeBytes = 64 * 1024;
const probe = JSON.stringify({ query: '{__typename}' });
const probeEveryMs = 500;

/**
 * Failures in a row after which a replica is left out. A rate over a while, as breakers in libraries take it, would be blind to a replica that has just died
 * after a good hour; and undici's BalancedPool goes on sending clients to one that hangs.
 */
const mostFailures = 5;

/** Questions that may be under way or wait for a connection, for each connection. */
const mostWaiting = 32;

/**
 * One URL of a subgraph. After some failures in a row it is left out and costs no client anything more: it is asked for nothing but a probe, twice a
 * second, and is back with the first that it answers.
 */
export function createReplica({ subgraph, url, connections, timeoutMs, pass, log, onCorpus }: ReplicaOptions) {
  const { origin, pathname, search } = new URL(url);
  const path = pathname + search;
  // No pipelining: one slow answer would hold up those behind it. No timeouts: whoever asks keeps the time.
  const options = { connections, pipelining: 1, connect: { timeout: timeoutMs }, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Pool(origin, options);
  // For second questions and probes: when one kept connection turns out to be dead, so may be the others.
  const fresh = new Pool(origin, options);
  let headers: Headers = { 'content-type': 'application/json', accept: 'application/json' };
  let standing: Standing = 'in';
  let failures = 0;
  let busy = 0;
  let corpus: string | null = null;
  let isNameless = false;
  let timer: NodeJS.Timeout | undefined;
  let probed: Attempt | null = null;
  let closed = false;

  const headersWith = (more: Headers | undefined): Headers => {
    const authorization = pass?.();
    if (authorization !== headers['authorization'])
      headers = { ...headers, ...(authorization !== undefined && { authorization }) };
    return more ? { ...more, ...headers } : headers;
  };

  const answered = (): void => {
    failures = 0;
    if (standing === 'in') return;
    standing = 'in';
    clearTimeout(timer);
    log.info({ subgraph, url: origin }, "a subgraph's replica is back");
  };

  const failed = (fault: UpstreamError): void => {
    failures += 1;
    if (closed || failures < mostFailures) return;
    if (standing === 'in') {
      log.warn(
        { subgraph, url: origin, fault: fault.message },
        "a subgraph's replica is left out until it answers again",
      );
      timer = setTimeout(probeOnce, probeEveryMs).unref();
    }
    standing = standingAfter(fault.kind);
  };

  const onSettled = (fault: UpstreamError | null): void => {
    busy -= 1;
    if (!fault) answered();
    else if (fault.kind !== 'unneeded') failed(fault);
  };

  const onHeaders = (received: Readonly<Record<string, string | string[] | undefined>>, status: number): void => {
    const named = received['x-lectern-corpus'];
    // An answer without it is of who knows which texts; a refusal is of none.
    const isUnnamed = named === undefined && status === 200;
    if (isUnnamed ? isNameless : typeof named !== 'string' || named === corpus) return;
    isNameless = isUnnamed;
    corpus = typeof named === 'string' ? named : null;
    onCorpus();
  };

  const ask = (
    body: string,
    { again, mostBytes, acceptsRawBody, headers: more }: Asking & { mostBytes: number },
  ): Attempt => {
    busy += 1;
    return sendRequest(again ? fresh : kept, {
      path,
      headers: headersWith(more),
      body,
      mostAnswerBytes: mostBytes,
      acceptsRawBody,
      last: again,
      onSettled,
      onHeaders,
    });
  };

  const probeOnce = (): void => {
    const attempt = ask(probe, { again: true, acceptsRawBody: false, mostBytes: mostProbeBytes });
    probed = attempt;
    const cut = setTimeout(
      () => attempt.cancel(upstreamError('slow', 'it does not answer in time')),
      timeoutMs,
    ).unref();
    attempt.answer
      .catch(() => {
        if (!closed && standing !== 'in') timer = setTimeout(probeOnce, probeEveryMs).unref();
      })
      .finally(() => clearTimeout(cut));
  };

  // Nobody waits for this one: it tells which texts are served there before a client asks.
  probeOnce();

  return {
    /** Without a path, and what stands before an @. */
    url: origin,
    standing: (): Standing => standing,
    /** How many questions it has to answer at this moment. */
    busy: (): number => busy,
    isFull: (): boolean => busy >= connections * mostWaiting,
    /** The digest of the texts that it serves, as it said last; null until it has, and where it does not say. */
    corpus: (): string | null => corpus,
    /** Whether its last answer did not say which texts it is from. */
    isNameless: (): boolean => isNameless,
    ask: (body: string, asking: Asking): Attempt => ask(body, { ...asking, mostBytes: mostAnswerBytes }),
    /** Takes no more questions, and resolves when those under way are answered or given up. */
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      probed?.cancel(upstreamError('unneeded', 'the gateway does not ask any more'));
      await kept.close();
      await fresh.close();
    },
  };
}

export type Replica = ReturnType<typeof createReplica>;

const standingAfter = (kind: UpstreamErrorKind): Standing => (kind === 'absent' ? 'absent' : 'out');
