import type { LecternClient } from '@lectern/client';
import type { McpTranslationsQuery } from './operations.generated';
import { McpTranslationsDocument } from './operations.generated';

export type ServedTranslation = NonNullable<McpTranslationsQuery['translations']>[number];

/**
 * How long a list of translations is used before the service is asked again. Operators seldom
 * import translations.
 */
const maxAgeMs = 600_000;

/**
 * Creates a function that returns the translations of the service. The first client to need the
 * list reads it with its own key. All clients of the process then use the list for ten minutes.
 */
export function createTranslationList(now: () => number) {
  let cached: { readonly translations: readonly ServedTranslation[]; readonly readAt: number } | null = null;
  return async (client: LecternClient, signal?: AbortSignal): Promise<readonly ServedTranslation[]> => {
    if (cached && now() - cached.readAt < maxAgeMs) return cached.translations;
    const { translations } = await client.query(McpTranslationsDocument, {}, signal && { signal });
    cached = { translations: translations ?? [], readAt: now() };
    return cached.translations;
  };
}

export type TranslationList = ReturnType<typeof createTranslationList>;
