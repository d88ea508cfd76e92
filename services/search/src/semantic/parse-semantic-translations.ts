import { isTranslationIdentifier } from '@lectern/canon';

/** The entry of SEMANTIC_TRANSLATIONS that stands for all translations. */
const all = '*';

/** Returns whether a list from `parseTranslations` selects a translation. */
export const isSelected = (list: readonly string[], translation: string): boolean =>
  list.includes(all) || list.includes(translation);

/**
 * Parses SEMANTIC_TRANSLATIONS and removes duplicates. Throws if an identifier is malformed,
 * because identifiers become parts of file names.
 */
export function parseTranslations(list: string): string[] {
  const identifiers = list
    .split(',')
    .map((identifier) => identifier.trim())
    .filter((identifier) => identifier !== '');
  const malformed = identifiers.find((identifier) => identifier !== all && !isTranslationIdentifier(identifier));
  if (malformed !== undefined)
    throw new Error(`SEMANTIC_TRANSLATIONS names '${malformed}', which is not a translation identifier.`);
  return [...new Set(identifiers)];
}
