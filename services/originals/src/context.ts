import { type Place, type VerseParts, verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';
import { createItemValueBudget, createPerTranslationLoader, type WorkBudget } from '@lectern/subgraph';
import { type AlignedVerse, hasVerse } from './alignment/aligned-verses';
import { createLexiconContext } from './lexicons/context';
import type { OriginalVerse } from './reader';
import type { OriginalsStore } from './store';

/** The maximum number of field values of original words in one response. */
const maxWordValuesPerRequest = 150_000;

/** Verses that are loaded in one turn of the event loop share their SQL statements. */
export function createRequestContext(store: OriginalsStore, corpus: Corpus, work: WorkBudget) {
  const { lexicons, aligner } = store;
  const wordBudget = createItemValueBudget(maxWordValuesPerRequest);
  const aligned = createPerTranslationLoader(work, {
    loadBatch: (translation: Translation, places: readonly Place[]) => aligner.align(translation, places),
    prepare: ({ identifier }) => corpus.verifyInSteps(identifier),
    // Small batches, because ten verses take two or three milliseconds.
    keysPerBatch: 10,
  });
  /** The alignment of each verse with the original text, which is computed once for all words of the verse. */
  const alignedVerses = new Map<string, Promise<AlignedVerse>>();
  function alignedVerse(translation: Translation, place: Place): Promise<AlignedVerse> {
    const key = `${translation.identifier} ${verseOrdinal(place)}`;
    const loaded = alignedVerses.get(key) ?? aligned.load(translation, place);
    alignedVerses.set(key, loaded);
    return loaded;
  }
  return {
    work,

    /** The file that was open when the request began, also if it is replaced meanwhile. */
    store,

    /** Counts the field values of `count` words. Throws `valueBudgetSpent` if the response has too many. */
    countWords: wordBudget.consume,

    lexicons: createLexiconContext(lexicons, work),

    /** Resolves with null if the translation lacks the verse. */
    async alignedVerse({ translation: identifier, ...place }: VerseParts): Promise<AlignedVerse | null> {
      const translation = corpus.translation(identifier);
      return translation && hasVerse(translation, place) ? alignedVerse(translation, place) : null;
    },

    /** Resolves with the translation's verses that render one of the original. Null for an unknown translation. */
    async versesThatRender(verse: OriginalVerse, identifier: string): Promise<AlignedVerse[] | null> {
      const translation = corpus.translation(identifier);
      const places = translation && aligner.placesOf(translation, verse);
      return places ? Promise.all(places.map((place) => alignedVerse(translation, place))) : null;
    },
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;
