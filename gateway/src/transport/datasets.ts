/**
 * The translations of which replicas serve different texts, or that some replicas lack. For each
 * translation and subgraph: the first digits of the digests of the text that the subgraph's
 * replicas report. The list is empty for a subgraph without the translation.
 */
export type TranslationSkew = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** The digests of one replica's translations. */
export interface ReplicaDataset {
  readonly subgraph: string;
  readonly translations: Readonly<Record<string, string>>;
}

/** The number of digits of a digest in logs and in /ready. */
const shownDigits = 12;

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
    return [...new Set(own.flatMap(({ translations }) => translations[identifier]?.slice(0, shownDigits) ?? []))];
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
export function createTranslationSkew({
  replicas,
  timeoutMs,
  onChange,
}: {
  replicas: () => readonly { readonly subgraph: string; readonly url: string }[];
  timeoutMs: number;
  onChange: (skew: TranslationSkew) => void;
}) {
  let skew: TranslationSkew | null = null;
  let refreshes = 0;

  const fetchDataset = async ({ subgraph, url }: { subgraph: string; url: string }): Promise<ReplicaDataset[]> => {
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
      const datasets = await Promise.all(replicas().map(fetchDataset));
      // The versions have changed again since this comparison began, so its result is dropped.
      if (refresh !== refreshes) return;
      skew = compareTranslations(datasets.flat());
      if (skew) onChange(skew);
    },
  };
}
