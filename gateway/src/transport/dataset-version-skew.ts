import type { Logger } from '@lectern/serving';

/**
 * The first digits of the dataset versions (digests of the Bible texts) that the replicas of each
 * subgraph serve, if the versions differ.
 */
export type VersionSkew = Readonly<Record<string, readonly string[]>>;

/** A replica of a subgraph. The dataset version is null while it is unknown. */
interface VersionedReplica {
  datasetVersion(): string | null;
}

/** The number of digits of a dataset version in logs and in /ready. */
const shownDigits = 12;

/** Compares the known dataset versions of all replicas. Returns null if they do not differ. */
export function findVersionSkew(replicas: ReadonlyMap<string, readonly VersionedReplica[]>): VersionSkew | null {
  const versions = [...replicas]
    .map(([name, own]): [string, string[]] => [
      name,
      [...new Set(own.flatMap((replica) => replica.datasetVersion() ?? []))],
    ])
    .filter(([, digests]) => digests.length > 0);
  if (new Set(versions.flatMap(([, digests]) => digests)).size <= 1) return null;
  return Object.fromEntries(
    versions.map(([name, digests]) => [name, digests.map((digest) => digest.slice(0, shownDigits)).sort()]),
  );
}

/** Creates the function that logs the version skew whenever it changes, and once when it ends. */
export function createReportVersionSkew(log: Logger) {
  let reported = 'null';
  return (skew: VersionSkew | null): void => {
    const text = JSON.stringify(skew);
    if (text === reported) return;
    reported = text;
    if (skew)
      log.warn(
        { versionSkew: skew },
        'subgraphs serve different dataset versions: copy the files of one `npm run data` to all of them',
      );
    else log.info('all subgraphs serve the same dataset version again');
  };
}
