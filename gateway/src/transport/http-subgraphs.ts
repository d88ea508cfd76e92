import type { Logger } from '@lectern/serving';
import { createPass } from './gateway-token';
import { createHttpFetch } from './http-fetch';
import type { Replica } from './replica';
import { createReplica } from './replica';
import { createRetryBudget } from './retry-budget';
import type { SubgraphFetch } from './subgraph-fetch';
import { parseSubgraphUrls } from './subgraph-urls';

export interface HttpSubgraphsOptions {
  /** As the setting SUBGRAPH_URLS has them. */
  urls: string;
  /** As the setting SUBGRAPH_SECRET has them. */
  secrets: string;
  timeoutMs: number;
  hedgeMs: number;
  /** To one replica. */
  connections: number;
  log: Logger;
  now?: () => number;
}

/** By the name of a subgraph the corpora that its replicas serve. */
export type VersionSkew = Readonly<Record<string, readonly string[]>>;

const shownDigits = 12;

/** Enough for whatever is under way when a replica dies; after that, one second question for ten answers. */
const budget = { most: 100, perAnswer: 0.1 };

/** The subgraphs that this gateway reaches over HTTP. */
export function createHttpSubgraphs({
  urls,
  secrets,
  timeoutMs,
  hedgeMs,
  connections,
  log,
  now = Date.now,
}: HttpSubgraphsOptions) {
  const given = parseSubgraphUrls(urls);
  const replicas = new Map<string, Replica[]>();

  const versionSkew = (): VersionSkew | null => {
    const known = [...replicas].map(([name, own]): [string, string[]] => [
      name,
      [...new Set(own.flatMap((replica) => replica.corpus() ?? []))],
    ]);
    if (new Set(known.flatMap(([, digests]) => digests)).size <= 1) return null;
    return Object.fromEntries(
      known.map(([name, digests]) => [name, digests.map((digest) => digest.slice(0, shownDigits)).sort()]),
    );
  };
  let seen = 0;
  let told = 'null';
  const tellCorpora = (): void => {
    seen += 1;
    const corpora = versionSkew();
    if (JSON.stringify(corpora) === told) return;
    told = JSON.stringify(corpora);
    if (corpora)
      log.warn({ corpora }, 'subgraphs serve different texts: bring the files of one `npm run data` to all of them');
    else log.info('all subgraphs serve the same texts again');
  };

  return {
    /** How to ask the subgraph of this name, which the supergraph says is at this URL. */
    subgraph(name: string, url: string): SubgraphFetch {
      const pass = createPass({ secrets, subgraph: name, now });
      const own = (given.get(name) ?? [url]).map((each) =>
        createReplica({ subgraph: name, url: each, connections, timeoutMs, pass, log, onCorpus: tellCorpora }),
      );
      replicas.set(name, own);
      return createHttpFetch({ replicas: own, timeoutMs, hedgeMs, budget: createRetryBudget(budget) });
    },

    replicas: () =>
      [...replicas].flatMap(([subgraph, own]) =>
        own.map((replica) => ({ subgraph, url: replica.url, isCircuitOpen: replica.standing() !== 'in' })),
      ),

    /** Throws where SUBGRAPH_URLS names a subgraph that nobody has asked for. */
    checkNames(): void {
      const unknown = [...given.keys()].filter((name) => !replicas.has(name));
      if (unknown.length > 0)
        throw new Error(
          `SUBGRAPH_URLS names ${unknown.join(', ')}, which the supergraph does not have. It has ${[...replicas.keys()].sort().join(', ')}.`,
        );
    },

    /** Where subgraphs or replicas were built from different texts, the digest's first digits by subgraph. Null while all that is known is the same. */
    versionSkew,

    /** The digest of the texts, once every subgraph has said that it serves these; null before, and while they or their replicas serve different ones. */
    datasetVersion(): string | null {
      const subgraphs = [...replicas.values()];
      if (
        subgraphs.some(
          (own) => own.every((replica) => replica.corpus() === null) || own.some((replica) => replica.isNameless()),
        )
      )
        return null;
      const [digest = null, ...others] = new Set(
        subgraphs.flatMap((own) => own.flatMap((replica) => replica.corpus() ?? [])),
      );
      return others.length > 0 ? null : digest;
    },

    /** Another number whenever a replica is found to serve other texts than before. */
    datasetGeneration: (): number => seen,

    async close(): Promise<void> {
      await Promise.all([...replicas.values()].flat().map((replica) => replica.close()));
    },
  };
}
