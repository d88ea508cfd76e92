import { isTranslationIdentifier } from '@lectern/canon';
import { embeddingsSettings } from '@lectern/embeddings';
import { milliseconds, textFor } from '@lectern/serving';

/** Returns whether a list from `parseTranslations` selects a translation. `*` selects all. */
export const isSelected = (list: readonly string[], translation: string): boolean =>
  list.includes('*') || list.includes(translation);

/**
 * Parses SEMANTIC_TRANSLATIONS and removes duplicates. Throws if an identifier is malformed,
 * because identifiers become parts of file names.
 */
export function parseTranslations(list: string): string[] {
  const identifiers = list
    .split(',')
    .map((identifier) => identifier.trim())
    .filter((identifier) => identifier !== '');
  const malformed = identifiers.find((identifier) => identifier !== '*' && !isTranslationIdentifier(identifier));
  if (malformed !== undefined)
    throw new Error(`SEMANTIC_TRANSLATIONS names '${malformed}', which is not a translation identifier.`);
  return [...new Set(identifiers)];
}

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

export type SemanticSettings = {
  readonly [Name in keyof typeof semanticSettings]: ReturnType<(typeof semanticSettings)[Name]['_parse']>;
};
