import { createGatewayToken, createOutageReporter, type Logger, parseSecrets } from '@lectern/serving';
import type { RecordHttpRequest } from '@lectern/telemetry';
import { parseSubgraphUrls } from '../supergraph/settings';
import { createReplica, type Replica } from './replica';
import { createReplicaFetch, type SubgraphFetch } from './replica-fetch';

interface HttpSubgraphsOptions {
  urls: string;
  /** The setting SUBGRAPH_SECRET. The first secret of the list signs the gateway's tokens. */
  secrets: string;
  timeoutMs: number;
  hedgeMs: number;
  connections: number;
  recordRequest?: RecordHttpRequest | null;
  log: Logger;
}

export interface SubgraphsHealth {
  /** Whether a subgraph rejects the gateway token and none accepts it, so that no fields can be served. */
  readonly isTokenRejected: boolean;
  /** The parts of the graph that are unavailable, with reasons for operators. */
  readonly degraded: readonly { readonly subgraph: string; readonly reason: string }[];
  /** The subgraphs that are missing in SUBGRAPH_URLS although it names other subgraphs. */
  readonly notInSubgraphUrls: readonly string[];
}

/** Creates the connections to all subgraphs over HTTP. Throws if SUBGRAPH_URLS or SUBGRAPH_SECRET is invalid. */
export function createHttpSubgraphs(options: HttpSubgraphsOptions) {
  const { timeoutMs, connections, recordRequest = null, log } = options;
  const configuredUrls = parseSubgraphUrls(options.urls);
  const [secret = null] = parseSecrets('SUBGRAPH_SECRET', options.secrets);
  const replicas = new Map<string, Replica[]>();
  const dataset = createSubgraphDatasets(replicas, log);
  const tokenOutage = createOutageReporter(log, {
    began: 'the gateway is not ready: set the same SUBGRAPH_SECRET on the gateway and its subgraphs',
    ended: 'the gateway is ready: a subgraph accepts the gateway token',
  });
  const notConfigured = (): string[] =>
    configuredUrls.size === 0 ? [] : [...replicas.keys()].filter((name) => !configuredUrls.has(name)).sort();
  const allReplicas = (): Replica[] => [...replicas.values()].flat();
  const isTokenRejected = (): boolean => {
    const checks = new Set(allReplicas().map((replica) => replica.isTokenAccepted()));
    return checks.has(false) && !checks.has(true);
  };
  const onTokenChecked = (): void => {
    if (isTokenRejected()) tokenOutage.begin('every subgraph that responds rejects the gateway token');
    else tokenOutage.end();
  };

  return {
    /** Opens a subgraph. `url` counts if SUBGRAPH_URLS does not name the subgraph. */
    subgraph(name: string, url: string): SubgraphFetch {
      const token = secret === null ? null : createGatewayToken({ secret, subgraph: name, now: Date.now });
      const own = (configuredUrls.get(name) ?? [url]).map((replicaUrl) =>
        createReplica({
          subgraph: name,
          url: replicaUrl,
          connections,
          timeoutMs,
          token,
          recordRequest,
          log,
          onDatasetVersion: dataset.onVersion,
          onTokenChecked,
        }),
      );
      replicas.set(name, own);
      return createReplicaFetch(own, options);
    },

    replicas: () =>
      [...replicas].flatMap(([subgraph, own]) =>
        own.map(({ url, circuitState }) => ({ subgraph, url, isCircuitOpen: circuitState() !== 'closed' })),
      ),

    /** Throws if SUBGRAPH_URLS names a subgraph that the supergraph does not have. */
    checkNames(): void {
      const unknown = [...configuredUrls.keys()].filter((name) => !replicas.has(name));
      if (unknown.length > 0)
        throw new Error(
          `SUBGRAPH_URLS names ${unknown.join(', ')}, which the supergraph does not have. It has ${[...replicas.keys()].sort().join(', ')}.`,
        );
    },

    health: (): SubgraphsHealth => ({
      isTokenRejected: isTokenRejected(),
      notInSubgraphUrls: notConfigured(),
      degraded: [...replicas].flatMap(([subgraph, own]) =>
        unavailableParts(own).map((reason) => ({ subgraph, reason })),
      ),
    }),

    /** Resolves when each replica has responded to its first probe or failed. */
    async probed(): Promise<void> {
      await Promise.all(allReplicas().map(({ probed }) => probed));
    },

    /** Resolves with whether a replica of the subgraph has responded to its first probe. */
    async isAvailable(name: string): Promise<boolean> {
      const responded = await Promise.all((replicas.get(name) ?? []).map((replica) => replica.probed));
      return responded.includes(true);
    },

    versionSkew: dataset.versionSkew,
    datasetGeneration: dataset.generation,

    async close(): Promise<void> {
      await Promise.all(allReplicas().map((replica) => replica.close()));
    },
  };
}

/** Returns the reason why no replica serves requests, or a reason for each field that a replica cannot serve. */
function unavailableParts(replicas: readonly Replica[]): string[] {
  if (replicas.every((replica) => replica.isTokenAccepted() === false)) return ['it rejects the gateway token'];
  if (replicas.every((replica) => replica.circuitState() !== 'closed')) return ['it does not respond'];
  const fields = new Set(replicas.flatMap((replica) => replica.unavailableFields()));
  return [...fields].map((field) => `${field} is unavailable`);
}

/** The first digits of the dataset versions that the replicas of each subgraph report, by subgraph. */
export type VersionSkew = Readonly<Record<string, readonly string[]>>;

const maxShownDigits = 12;

/** Compares the dataset versions (digests of the texts) of all replicas. */
function createSubgraphDatasets(replicas: ReadonlyMap<string, readonly Replica[]>, log: Logger) {
  let generation = 0;
  let reported: string | null = null;

  /** Logs the version skew whenever it changes, and once when it ends. */
  const report = (versionSkew: VersionSkew | null): void => {
    const text = versionSkew && JSON.stringify(versionSkew);
    if (text === reported) return;
    reported = text;
    if (!versionSkew) return log.info('all subgraphs serve the same dataset version again');
    log.warn(
      { versionSkew },
      'subgraphs serve different dataset versions: copy the files of one `npm run data` to all of them',
    );
  };

  const findSkew = (): VersionSkew | null => {
    if (versionsOf([...replicas.values()].flat()).length <= 1) return null;
    const versions = [...replicas].map(([name, own]): [string, string[]] => [
      name,
      versionsOf(own).map((version) => version.slice(0, maxShownDigits)),
    ]);
    return Object.fromEntries(versions.filter(([, shown]) => shown.length > 0));
  };

  return {
    /** Must be called when the dataset version of a replica has changed. */
    onVersion(): void {
      generation += 1;
      report(findSkew());
    },

    /** Returns the dataset versions by subgraph, or null if all known versions are the same. */
    versionSkew: findSkew,

    /** Returns a number that increases whenever the dataset version of a replica changes. */
    generation: (): number => generation,
  };
}

const versionsOf = (replicas: readonly Replica[]): string[] =>
  [...new Set(replicas.flatMap((replica) => replica.datasetVersion() ?? []))].sort();
