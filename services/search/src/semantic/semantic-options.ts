import { createEmbedder } from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import type { SemanticIndexOptions } from './semantic-index';
import type { SemanticSettings } from './semantic-settings';
import { parseTranslations } from './semantic-settings';

export interface Chosen {
  settings: SemanticSettings;
  dataDir: string;
  log: Logger;
}

/** What the settings choose: null where no edition has semantic search, and then no model is looked at. */
export async function createSemanticOptions({ settings, dataDir, log }: Chosen): Promise<SemanticIndexOptions | null> {
  const { SEMANTIC_TRANSLATIONS: list, SEMANTIC_TIMEOUT_MS: timeoutMs } = settings;
  const translations = parseTranslations(list);
  if (translations.length === 0) return null;
  return { dataDir, translations, timeoutMs, log, embedder: await createEmbedder(settings) };
}
