import { isTranslationIdentifier } from '@lectern/canon';
import { embeddingsSettings as embeddingsSettings } from '@lectern/embeddings';
import { milliseconds, textFor } from '@lectern/serving';

/** What semantic search reads from its environment, beside how text becomes vectors. */
export const semanticSettings = {
  SEMANTIC_TRANSLATIONS: textFor(parseTranslations)({
    default: 'spa-rv1909',
    desc: 'The editions with semantic search: identifiers with commas between. After a change run `npm run data`. Empty: none.',
  }),
  SEMANTIC_TIMEOUT_MS: milliseconds({
    default: 4500,
    desc: "How long a question may wait for its vector, in milliseconds, before semanticSearch alone is unavailable. Keep it below the gateway's SUBGRAPH_TIMEOUT_MS.",
  }),
  ...embeddingsSettings,
};

/** The values that `semanticSettings` describes, as envalid hands them over. */
export type SemanticSettings = {
  readonly [Name in keyof typeof semanticSettings]: ReturnType<(typeof semanticSettings)[Name]['_parse']>;
};

/** The identifiers in SEMANTIC_TRANSLATIONS, each once. They become names of files, so nothing else is let through. */
export function parseTranslations(list: string): string[] {
  const identifiers = list
    .split(',')
    .map((identifier) => identifier.trim())
    .filter((identifier) => identifier !== '');
  const wrong = identifiers.find((identifier) => !isTranslationIdentifier(identifier));
  if (wrong !== undefined)
    throw new Error(`SEMANTIC_TRANSLATIONS names '${wrong}', which is no identifier of an edition.`);
  return [...new Set(identifiers)];
}
