import type { Hint } from '@lectern/subgraph';
import type { IndexedTranslation } from '../open-search-indexes-on-demand';
import type { SemanticSearch } from './search';

/**
 * The maximum number of translations that a hint lists. A hint is a message beside data and errors.
 */
const maxListed = 10;

const searchVerses = 'Query.searchVerses';

/** Creates the hints of fields that find verses by meaning. */
export function createSemanticHints({
  hasEmbeddings,
  translationsWithEmbeddings,
}: Pick<SemanticSearch, 'hasEmbeddings' | 'translationsWithEmbeddings'>) {
  const toDo = (): string => {
    const available = translationsWithEmbeddings();
    if (available.length === 0) return 'This service has no translation with vectors: SEMANTIC_TRANSLATIONS sets them.';
    const listed = [...available.slice(0, maxListed), ...(available.length > maxListed ? ['...'] : [])].join(', ');
    return `Use a translation with vectors (${listed}), or ask the operator to add one to SEMANTIC_TRANSLATIONS.`;
  };

  /**
   * Returns the hint of a field that needs vectors. Returns null if each of the translations has
   * vectors.
   */
  const withoutVectors = (coordinate: string, translations: readonly IndexedTranslation[]): Hint | null => {
    const lacking = translations.map(({ identifier }) => identifier).filter((each) => !hasEmbeddings(each));
    if (lacking.length === 0) return null;
    const message = `No verse is found by meaning in ${lacking.join(', ')}, because there are no vectors. ${toDo()}`;
    return { coordinate, message };
  };

  return {
    withoutVectors,
    searchVerses: (translations: readonly IndexedTranslation[]) => withoutVectors(searchVerses, translations),
    /** Returns the hint of the mode HYBRID while the embedding model is unavailable. */
    onlyWords: (): Hint => ({
      coordinate: searchVerses,
      message: 'HYBRID found verses by their words alone, because the embedding model is unavailable. Try again later.',
    }),
  };
}

export type SemanticHints = ReturnType<typeof createSemanticHints>;
