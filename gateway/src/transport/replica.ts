import { type BudgetHeaders, createOutageReporter, type GatewayToken, type Logger } from '@lectern/serving';
import { attribute, type RecordHttpRequest } from '@lectern/telemetry';
import { Pool } from 'undici';
import { createCircuitBreaker } from './circuit';
import { type Attempt, sendRequest, type UpstreamRequest } from './request';
import { isAccessDenial, isTokenRejection, type ResponseHeaders, type UpstreamError, upstreamError } from './response';

interface ReplicaOptions extends ReplicaStatusOptions {
  url: string;
  connections: number;
  /** The deadline for connections and probes, in milliseconds. The caller cancels all other requests. */
  timeoutMs: number;
  /** Returns the value of the Authorization header. Null if requests have no such header. */
  token: GatewayToken | null;
  /** Records each request and probe in the metrics. Null if nothing is recorded. */
  recordRequest: RecordHttpRequest | null;
}

interface SendOptions extends Pick<UpstreamRequest, 'acceptsRawBody' | 'isRetry'> {
  readonly budgetHeaders: BudgetHeaders;
  /** The restricted translations that the client may read, separated by blanks. */
  readonly rights: string;
  /** Forwarded headers of the client, and those of the trace. */
  readonly moreHeaders?: Readonly<Record<string, string>> | undefined;
}

/** More than a hundred times the text of Psalms, in bytes. A longer response is a bug of the subgraph. */
const maxResponseBytes = 32 * 1024 * 1024;
const maxProbeBytes = 64 * 1024;
const probeBody = JSON.stringify({ query: '{__typename}' });
const probeOptions = { budgetHeaders: [], rights: '', isRetry: true, acceptsRawBody: false };

/** How long `hasRejectedDocument` and `hasFailed` return true after such a response, in milliseconds. */
const rejectionMs = 10_000;

/** Not failures of a replica: it may accept other documents and clients, and one bug does not affect other requests. */
const kindsOfAnswers: ReadonlySet<UpstreamError['kind']> = new Set(['document-rejected', 'failed', 'access-denied']);

const logDenialsEveryMs = 60_000;

/** How long a healthy replica takes to respond to a probe at most, in milliseconds, even if its process is busy. */
const maxProbeMs = 1_000;

/** The maximum number of requests for each connection, in flight or waiting. */
const maxRequestsPerConnection = 32;

export function createReplica(options: ReplicaOptions) {
  const { subgraph, connections, timeoutMs, token, recordRequest, log } = options;
  const { origin, pathname, search, hostname, port, protocol } = new URL(options.url);
  const server = { address: hostname, port: port || (protocol === 'https:' ? '443' : '80') };
  const path = pathname + search;
  const pool = openPool(origin, options);
  // If one connection of the pool is broken, others probably are too. So retries and probes use new connections.
  const retryPool = openPool(origin, options);
  const { onHeaders, ...status } = createReplicaStatus(options);
  const withHeaders = createWithHeaders(token);
  let inFlight = 0;
  let rejectedAt = -Infinity;
  let failedAt = -Infinity;
  let probeInFlight: Attempt | null = null;

  const onSettled = (error: UpstreamError | null, sentAt: number): void => {
    inFlight -= 1;
    if (error?.kind === 'document-rejected') rejectedAt = performance.now();
    if (error?.kind === 'failed') failedAt = performance.now();
    if (!error || kindsOfAnswers.has(error.kind)) breaker.onSuccess();
    else if (error.kind !== 'cancelled') breaker.onFailure(error, sentAt);
  };

  const send = (body: string, sendOptions: SendOptions, maxBytes = maxResponseBytes): Attempt => {
    inFlight += 1;
    const sentAt = performance.now();
    const { budgetHeaders, rights, moreHeaders, acceptsRawBody, isRetry } = sendOptions;
    // The members are listed, because copying `sendOptions` with `...` would add microseconds to each request.
    return sendRequest(isRetry ? retryPool : pool, {
      acceptsRawBody,
      isRetry,
      path,
      headers: withHeaders(budgetHeaders, rights, moreHeaders),
      body,
      maxResponseBytes: maxBytes,
      onSettled(error, status) {
        onSettled(error, sentAt);
        const seconds = (performance.now() - sentAt) / 1_000;
        recordRequest?.(server, { status, errorType: error?.kind ?? null, seconds });
      },
      onHeaders,
    });
  };

  const outage = createOutageReporter(
    log,
    {
      began: 'circuit open: a replica of a subgraph receives only probes until it responds',
      ended: 'circuit closed: a replica of a subgraph responds again',
    },
    { subgraph, url: origin },
  );
  // The first response of a process that starts may take longer.
  const probeMs = (): number => (status.isTokenAccepted() === null ? timeoutMs : Math.min(timeoutMs, maxProbeMs));
  const breaker = createCircuitBreaker(async () => {
    probeInFlight = send(probeBody, probeOptions, maxProbeBytes);
    const { data } = await withDeadline(probeInFlight, probeMs()).catch((error: UpstreamError) => {
      if (error.kind !== 'access-denied') throw error;
      // The subgraph serves clients that it knows, and a probe has no client.
      return { data: { __typename: '' } };
    });
    return typeof data?.['__typename'] === 'string';
  }, outage);

  // Finds out the dataset version, and whether the token is accepted, before the first request of a client.
  const probed = breaker.probe();

  return {
    /** The URL of the replica without path, user and password. */
    url: origin,
    pathname,
    spanAttributes: {
      [attribute.httpRequestMethod]: 'POST',
      [attribute.urlFull]: origin + pathname,
      [attribute.serverAddress]: server.address,
      [attribute.serverPort]: Number(server.port),
    },
    circuitState: breaker.state,
    /** Resolves with whether the first probe received data or was denied, after `timeoutMs` at the latest. */
    probed,
    ...status,
    inFlight: (): number => inFlight,
    isFull: (): boolean => inFlight >= connections * maxRequestsPerConnection,
    /** Returns whether the replica has rejected a document in the last 10 seconds. */
    hasRejectedDocument: (): boolean => performance.now() - rejectedAt < rejectionMs,
    /** Returns whether the replica has responded with errors only in the last 10 seconds. */
    hasFailed: (): boolean => performance.now() - failedAt < rejectionMs,
    send: (body: string, sendOptions: SendOptions): Attempt => send(body, sendOptions),
    /** Stops accepting requests, and resolves when the requests in flight have settled. */
    async close(): Promise<void> {
      breaker.stop();
      probeInFlight?.cancel(upstreamError('cancelled', 'the gateway is closing'));
      await pool.close();
      await retryPool.close();
    },
  };
}

export type Replica = ReturnType<typeof createReplica>;

/** Pipelining is off, because a slow response would delay the responses behind it on the connection. */
const openPool = (
  origin: string,
  { connections, timeoutMs }: Pick<ReplicaOptions, 'connections' | 'timeoutMs'>,
): Pool =>
  new Pool(origin, { connections, pipelining: 1, connect: { timeout: timeoutMs }, headersTimeout: 0, bodyTimeout: 0 });

/** Cancels the probe if there is no response within `ms`. */
function withDeadline(attempt: Attempt, ms: number): Attempt['response'] {
  const cancel = () => attempt.cancel(upstreamError('timeout', `no response to a probe within ${ms} ms`));
  const timeout = setTimeout(cancel, ms).unref();
  return attempt.response.finally(() => clearTimeout(timeout));
}

/** Returns the headers: names and values in turn. A client's requests share a list while token and rights stay. */
function createWithHeaders(token: GatewayToken | null) {
  const always = ['content-type', 'application/json', 'accept', 'application/json'];
  let authorization: string | undefined;
  let lists = new WeakMap<BudgetHeaders, string[]>();
  return (budgetHeaders: BudgetHeaders, rights: string, moreHeaders?: Readonly<Record<string, string>>): string[] => {
    const current = token?.(rights);
    if (current !== authorization) [authorization, lists] = [current, new WeakMap()];
    let list = lists.get(budgetHeaders);
    if (!list) {
      list = [...always, ...(current === undefined ? [] : ['authorization', current]), ...budgetHeaders];
      lists.set(budgetHeaders, list);
    }
    return moreHeaders ? [...list, ...Object.entries(moreHeaders).flat()] : list;
  };
}

interface ReplicaStatusOptions {
  subgraph: string;
  /** Called when the dataset version becomes known, changes or becomes unknown. */
  onDatasetVersion: () => void;
  /** Called when the replica first accepts or rejects the gateway token, and when this changes. */
  onTokenChecked: () => void;
  log: Logger;
}

function createReplicaStatus({ subgraph, onDatasetVersion, onTokenChecked, log }: ReplicaStatusOptions) {
  let deniedAt = -Infinity;
  let datasetVersion: string | null = null;
  let unavailableFields: readonly string[] = [];
  let isTokenAccepted: boolean | null = null;

  return {
    onHeaders(received: ResponseHeaders, status: number): void {
      const isTokenRejected = isTokenRejection(status, received);
      if ((status === 200 || isTokenRejected) && isTokenAccepted !== !isTokenRejected) {
        isTokenAccepted = !isTokenRejected;
        onTokenChecked();
      }
      if (isAccessDenial(status) && !isTokenRejected && performance.now() - deniedAt > logDenialsEveryMs) {
        deniedAt = performance.now();
        log.warn({ subgraph, status }, 'a subgraph denies a request, and the gateway goes on sending it requests');
      }
      const unavailable = received['x-lectern-unavailable-fields'];
      if (status === 200) unavailableFields = typeof unavailable === 'string' ? unavailable.split(',') : [];
      const header = received['x-lectern-dataset-version'];
      const version = typeof header === 'string' ? header : null;
      // With status 200, a response without the header may be of any dataset. Other statuses say nothing.
      if (version === datasetVersion || (version === null && status !== 200)) return;
      datasetVersion = version;
      onDatasetVersion();
    },
    /** Whether the last response that shows it accepted the token. Null before the first. */
    isTokenAccepted: (): boolean | null => isTokenAccepted,
    /** Returns the fields that the last response with status 200 reported as unavailable. */
    unavailableFields: (): readonly string[] => unavailableFields,
    /** The dataset version of the last response that has one. Null before it, and after a 200 without a version. */
    datasetVersion: (): string | null => datasetVersion,
  };
}
