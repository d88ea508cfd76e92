import { createEmbedder, embeddingsSettings } from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import { milliseconds, textFor } from '@lectern/serving';
import type { SemanticIndexOptions } from './nearest';
import { parseTranslations } from './parse-semantic-translations';

/** The settings of semantic search, with the settings of the embedding model. */
export const semanticSettings = {
  SEMANTIC_TRANSLATIONS: textFor(parseTranslations)({
    default: 'spa-rv1909',
    desc: 'The translations with semantic search: identifiers, separated by commas, or * for all. Run `npm run data` after a change. Empty: none.',
  }),
  SEMANTIC_TIMEOUT_MS: milliseconds({
    default: 4500,
    desc: "How long a query waits for its vector, in milliseconds. Later, semanticSearch alone is unavailable. Keep it below the gateway's SUBGRAPH_TIMEOUT_MS.",
  }),
  ...embeddingsSettings,
};

/** The parsed values of `semanticSettings`. */
export type SemanticSettings = {
  readonly [Name in keyof typeof semanticSettings]: ReturnType<(typeof semanticSettings)[Name]['_parse']>;
};

/**
 * Creates the options of the semantic index from the settings, with the embedder that they select.
 * If SEMANTIC_TRANSLATIONS is empty, resolves with null and loads no model.
 */
export async function createSemanticOptions({
  settings,
  dataDir,
  log,
}: {
  settings: SemanticSettings;
  dataDir: string;
  log: Logger;
}): Promise<SemanticIndexOptions | null> {
  const { SEMANTIC_TRANSLATIONS: list, SEMANTIC_TIMEOUT_MS: timeoutMs } = settings;
  const translations = parseTranslations(list);
  if (translations.length === 0) return null;
  return { dataDir, translations, timeoutMs, log, embedder: await createEmbedder(settings) };
}
