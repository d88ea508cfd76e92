import type { Logger } from '@lectern/serving';
import { createReportVersionSkew, findVersionSkew, type VersionSkew } from './dataset-version-skew';
import { createTranslationSkew } from './datasets';
import type { Replica } from './replica';

/**
 * Compares the dataset versions (digests of the Bible texts) of the replicas of all subgraphs.
 * `replicas` has the replicas by the name of their subgraph.
 */
export function createSubgraphDatasets(
  replicas: ReadonlyMap<string, readonly Replica[]>,
  { timeoutMs, log }: { timeoutMs: number; log: Logger },
) {
  let generation = 0;
  const namesWithDataset = new Set<string>();
  const reportVersionSkew = createReportVersionSkew(log);
  const translationSkew = createTranslationSkew({
    replicas: () =>
      [...replicas].flatMap(([subgraph, own]) =>
        own.filter((replica) => replica.datasetVersion() !== null).map(({ url }) => ({ subgraph, url })),
      ),
    timeoutMs,
    onChange: (skew) => log.warn({ translationSkew: skew }, 'subgraphs serve different texts of these translations'),
  });
  /** Returns whether a subgraph has responded, but no response had a dataset version. */
  const hasNoDataset = (name: string, own: readonly Replica[]): boolean =>
    !namesWithDataset.has(name) && own.some((replica) => replica.isVersionMissing());

  return {
    /** Call this function when the dataset version of a replica of this subgraph has changed. */
    onVersion(name: string): void {
      generation += 1;
      if (replicas.get(name)?.some((replica) => replica.datasetVersion() !== null)) namesWithDataset.add(name);
      const skew = findVersionSkew(replicas);
      reportVersionSkew(skew);
      if (skew) void translationSkew.refresh();
      else translationSkew.clear();
    },

    /**
     * Returns the first digits of the dataset versions by subgraph. Null if the known versions of
     * all replicas are the same.
     */
    versionSkew: (): VersionSkew | null => findVersionSkew(replicas),

    /**
     * Returns the translations of which subgraphs serve different texts, or that a subgraph lacks.
     * Null if there are none.
     */
    translationSkew: translationSkew.current,

    /**
     * Returns the dataset version that all subgraphs report. Subgraphs whose responses have never
     * had a version are ignored. Returns null if the version of another subgraph is unknown, or if
     * replicas serve different versions.
     */
    version(): string | null {
      const subgraphs = [...replicas].filter(([name, own]) => !hasNoDataset(name, own)).map(([, own]) => own);
      if (subgraphs.some(hasUnknownVersion)) return null;
      const [version = null, ...others] = new Set(
        subgraphs.flatMap((own) => own.flatMap((replica) => replica.datasetVersion() ?? [])),
      );
      return others.length > 0 ? null : version;
    },

    /** Returns a number that increases whenever the dataset version of a replica changes. */
    generation: (): number => generation,
  };
}

const hasUnknownVersion = (replicas: readonly Replica[]): boolean =>
  replicas.every((replica) => replica.datasetVersion() === null) ||
  replicas.some((replica) => replica.isVersionMissing());
