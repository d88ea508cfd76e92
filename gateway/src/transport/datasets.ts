import type { Logger } from '@lectern/serving';
import type { Replica } from './replica';

/** The first digits of the dataset versions that the replicas of each subgraph report, by subgraph. */
export type VersionSkew = Readonly<Record<string, readonly string[]>>;

/** The number of digits of a dataset version in logs and in /ready. */
const maxShownDigits = 12;

/**
 * Creates functions that compare the dataset versions (digests of the texts) of all replicas. `replicas` has the
 * replicas by subgraph.
 */
export function createSubgraphDatasets(replicas: ReadonlyMap<string, readonly Replica[]>, log: Logger) {
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
