import { createTranslationFileCache, type TranslationFileCache } from '@lectern/data-files';
import type { Metrics } from '@lectern/telemetry';
import type { Subgraph } from './subgraph';

/** Creates the cache of open translation files, with the metrics of docs/metrics.md. */
export function createMeasuredTranslationFileCache(maxBytes: number, metrics: Metrics): TranslationFileCache {
  const labels = ['file'] as const;
  const opened = metrics.counter({
    name: 'lectern_translation_files_opened_total',
    help: 'Files of translations that were opened, by file (text, search, concordance).',
    labels,
  });
  const closed = metrics.counter({
    name: 'lectern_translation_files_closed_total',
    help: 'Files of translations that were closed, because the memory was needed or the translation was replaced, by file.',
    labels,
  });
  const memory = createTranslationFileCache({
    maxBytes,
    onOpened: (file) => opened({ file }),
    onClosed: (file) => closed({ file }),
  });
  const readUsage = (name: 'open' | 'bytes') => () =>
    Array.from(memory.usage(), ([file, usage]) => ({ labels: { file }, value: usage[name] }));
  metrics.gauge(
    { name: 'lectern_translation_files_open', help: 'Files of translations that are open, by file.', labels },
    readUsage('open'),
  );
  metrics.gauge(
    {
      name: 'lectern_translation_files_bytes',
      help: 'The estimated memory of the open files of translations, in bytes, by file. TRANSLATIONS_MEMORY_BYTES bounds the sum.',
      labels,
    },
    readUsage('bytes'),
  );
  return memory;
}

export function observeUnavailableTranslations(
  metrics: Metrics,
  subgraphs: readonly Pick<Subgraph, 'name' | 'dataset'>[],
): void {
  metrics.gauge(
    {
      name: 'lectern_translations_unavailable',
      help: 'Translations of the catalogue whose files cannot be used, by subgraph. The log names the files.',
      labels: ['subgraph'],
    },
    () =>
      subgraphs.map(({ name, dataset }) => ({ labels: { subgraph: name }, value: dataset?.unavailable().length ?? 0 })),
  );
}
