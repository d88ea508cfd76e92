import type { Logger } from '@lectern/serving';
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
  const reportVersionSkew = createReportVersionSkew(log);
  const translationSkew = createTranslationSkew(replicas, timeoutMs, log);

  return {
    /** Call this function when the dataset version of a replica has changed. */
    onVersion(): void {
      generation += 1;
      const skew = findVersionSkew(replicas);
      reportVersionSkew(skew);
      if (skew) void translationSkew.refresh();
      else translationSkew.clear();
    },

    /**
     * Returns the first digits of the dataset versions by subgraph. Null if all known versions are
     * the same.
     */
    versionSkew: (): VersionSkew | null => findVersionSkew(replicas),

    /**
     * Returns the translations whose texts differ between subgraphs, or that one lacks. Null if
     * there are none.
     */
    translationSkew: translationSkew.current,

    /** Returns a number that increases whenever the dataset version of a replica changes. */
    generation: (): number => generation,
  };
}

/** Returns the known dataset versions of replicas, each once. */
const versionsOf = (replicas: readonly Replica[]): string[] => [
  ...new Set(replicas.flatMap((replica) => replica.datasetVersion() ?? [])),
];

/**
 * The first digits of the dataset versions (digests of the Bible texts) that each subgraph's
 * replicas serve.
 */
export type VersionSkew = Readonly<Record<string, readonly string[]>>;

/** Returns the digits of a dataset version or a digest that logs and /ready show. */
const shorten = (digest: string): string => digest.slice(0, 12);

/** Compares the known dataset versions of all replicas. Returns null if they do not differ. */
function findVersionSkew(replicas: ReadonlyMap<string, readonly Replica[]>): VersionSkew | null {
  if (versionsOf([...replicas.values()].flat()).length <= 1) return null;
  const digests = [...replicas].map(([name, own]): [string, string[]] => [name, versionsOf(own).map(shorten).sort()]);
  return Object.fromEntries(digests.filter(([, shown]) => shown.length > 0));
}

/** Creates the function that logs the version skew whenever it changes, and once when it ends. */
function createReportVersionSkew(log: Logger) {
  let reported = 'null';
  return (versionSkew: VersionSkew | null): void => {
    const text = JSON.stringify(versionSkew);
    if (text === reported) return;
    reported = text;
    if (!versionSkew) return log.info('all subgraphs serve the same dataset version again');
    log.warn(
      { versionSkew },
      'subgraphs serve different dataset versions: copy the files of one `npm run data` to all of them',
    );
  };
}

/**
 * The translations of which replicas serve different texts, or that some replicas lack. For each
 * translation and subgraph: the first digits of the digests of the text that the subgraph's
 * replicas report. The list is empty for a subgraph without the translation.
 */
export type TranslationSkew = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The digests of one replica's translations. */
interface ReplicaDataset {
  readonly subgraph: string;
  readonly translations: Readonly<Record<string, string>>;
}

/** The maximum number of translations in logs and in /ready. */
const maxShownTranslations = 20;

/**
 * Returns the translations that the replicas do not all serve in the same text, at most the first
 * 20 in alphabetical order. Returns null if there are none.
 */
export function compareTranslations(datasets: readonly ReplicaDataset[]): TranslationSkew | null {
  const identifiers = [...new Set(datasets.flatMap(({ translations }) => Object.keys(translations)))].sort();
  const skewed = identifiers.filter(
    (identifier) => new Set(datasets.map(({ translations }) => translations[identifier])).size > 1,
  );
  const subgraphs = [...new Set(datasets.map(({ subgraph }) => subgraph))];
  const digestsOf = (identifier: string, subgraph: string): string[] => {
    const own = datasets.filter((dataset) => dataset.subgraph === subgraph);
    return [...new Set(own.flatMap(({ translations }) => translations[identifier] ?? []).map(shorten))];
  };
  if (skewed.length === 0) return null;
  return Object.fromEntries(
    skewed
      .slice(0, maxShownTranslations)
      .map((identifier) => [
        identifier,
        Object.fromEntries(subgraphs.map((subgraph) => [subgraph, digestsOf(identifier, subgraph)])),
      ]),
  );
}

/**
 * Compares the translations of replicas whose dataset versions differ. `refresh` fetches the
 * digests, and `current` returns the last comparison. A replica that does not respond in time is
 * left out.
 */
function createTranslationSkew(replicas: ReadonlyMap<string, readonly Replica[]>, timeoutMs: number, log: Logger) {
  let skew: TranslationSkew | null = null;
  let refreshes = 0;

  const fetchDataset = async (subgraph: string, { url, datasetVersion }: Replica): Promise<ReplicaDataset[]> => {
    if (datasetVersion() === null) return [];
    try {
      const response = await fetch(new URL('/dataset', url), { signal: AbortSignal.timeout(timeoutMs) });
      if (!response.ok) return [];
      const { translations } = (await response.json()) as { translations?: Record<string, string> };
      return [{ subgraph, translations: translations ?? {} }];
    } catch {
      // The replica does not respond, which the circuit breaker reports. The comparison leaves the
      // replica out.
      return [];
    }
  };

  return {
    current: (): TranslationSkew | null => skew,
    clear(): void {
      refreshes += 1;
      skew = null;
    },
    async refresh(): Promise<void> {
      refreshes += 1;
      const refresh = refreshes;
      const datasets = await Promise.all(
        [...replicas].flatMap(([subgraph, own]) => own.map((replica) => fetchDataset(subgraph, replica))),
      );
      // The versions have changed again since this comparison began, so its result is dropped.
      if (refresh !== refreshes) return;
      skew = compareTranslations(datasets.flat());
      if (skew) log.warn({ translationSkew: skew }, 'subgraphs serve different texts of these translations');
    },
  };
}
