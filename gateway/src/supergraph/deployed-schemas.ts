import { createOutageReporter, type Logger, type OutageReporter } from '@lectern/serving';
import { schemaDigest } from './schema-digest';

/** The members of a graph that the check of its subgraphs' schemas needs. */
interface CheckedGraph {
  /** The digests of the schemas that the supergraph was composed from, by subgraph name. */
  readonly schemaDigests: ReadonlyMap<string, string>;
  /** Resolves with the SDL of each replica that responds. Null if the subgraphs run in this process. */
  readonly readSdls: ((subgraph: string) => Promise<readonly string[]>) | null;
  state(): { readonly health: { readonly degraded: readonly { readonly subgraph: string }[] } };
}

/** The interval between checks of one subgraph, in milliseconds. */
const checkMs = 60_000;
/**
 * The interval in milliseconds at which the gateway looks for subgraphs to check: those whose check is due, and those
 * that respond again.
 */
const tickMs = 5_000;

const messages = {
  began:
    'a subgraph serves another schema than the supergraph was composed from: run `npm run compose` for the deployed versions',
  ended: 'a subgraph serves the schema of the supergraph again',
};

/** Reads the digests that `npm run compose` writes into the heading of supergraph.graphql. */
export function readSchemaDigests(supergraphSdl: string): ReadonlyMap<string, string> {
  const [, list = ''] = /^# Subgraph schemas: (.+)$/m.exec(supergraphSdl) ?? [];
  return new Map(
    [...list.matchAll(/(?<![^\s=,])([^\s=,]+)=([0-9a-f]+)/g)].map(([, name = '', digest = '']) => [name, digest]),
  );
}

/**
 * Creates the check of the subgraphs' deployed schemas. It reports a subgraph whose schema is not the one in the
 * supergraph, every minute and after each change.
 */
export function createDeployedSchemas({
  graph,
  log,
  now,
}: {
  graph: () => CheckedGraph;
  log: Logger;
  /** A monotonic clock, in milliseconds. */
  now: () => number;
}) {
  const reporters = new Map<string, OutageReporter>();
  /** The time of each subgraph's last check. A subgraph that did not respond has no time. */
  const checkedAt = new Map<string, number>();
  let checkedGraph: CheckedGraph | null = null;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;

  const report = (subgraph: string, composed: string, served: readonly string[]): void => {
    const reporter = reporters.get(subgraph) ?? createOutageReporter(log, messages, { subgraph });
    reporters.set(subgraph, reporter);
    const different = served.find((digest) => digest !== composed);
    if (different === undefined) reporter.end();
    else reporter.begin(`the digest of the schema is ${different}; the supergraph was composed from ${composed}`);
  };

  /** Checks the subgraphs that were not checked in the last minute. */
  const check = async (): Promise<void> => {
    const current = graph();
    if (current !== checkedGraph) checkedAt.clear();
    checkedGraph = current;
    for (const { subgraph } of current.state().health.degraded) checkedAt.delete(subgraph);
    const { readSdls, schemaDigests } = current;
    if (!readSdls) return;
    const checkIfDue = async ([subgraph, composed]: readonly [string, string]): Promise<void> => {
      const startedAt = now();
      if (startedAt - (checkedAt.get(subgraph) ?? -Infinity) < checkMs) return;
      const served = (await readSdls(subgraph)).map(digestOf);
      if (served.length === 0 || isStopped) return;
      checkedAt.set(subgraph, startedAt);
      report(subgraph, composed, served);
    };
    await Promise.all([...schemaDigests].map(checkIfDue));
  };

  /**
   * Returns the subgraphs whose schemas have been compared, and whether each serves another schema than the one from which
   * the supergraph was composed.
   */
  const compared = () =>
    [...graph().schemaDigests.keys()].flatMap((subgraph) => {
      const reporter = reporters.get(subgraph);
      return reporter ? [{ subgraph, differs: reporter.isOngoing() }] : [];
    });

  return {
    check,
    /** Calls `check` now, and again every 5 seconds until `stop`. */
    start(): void {
      const run = async (): Promise<void> => {
        await check();
        if (!isStopped) timer = setTimeout(() => void run(), tickMs).unref();
      };
      void run();
    },
    compared,
    differing: (): readonly string[] => compared().flatMap(({ subgraph, differs }) => (differs ? [subgraph] : [])),
    stop(): void {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}

export type DeployedSchemas = ReturnType<typeof createDeployedSchemas>;

function digestOf(sdl: string): string {
  try {
    return schemaDigest(sdl);
  } catch {
    return 'none, because the SDL is invalid';
  }
}
