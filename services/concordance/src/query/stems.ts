import { errors } from '@lectern/errors';
import type { ConcordanceContent, ConcordanceFiles, IndexedVerse } from '../data/files';
import { indexedVerse } from '../data/files';
import type { ConcordanceTranslation } from '../data/metadata';
import type { StemEntry } from '../data/stems';
import { createStemCache } from '../data/stems';

/** Creates the functions that read stems and verses from the open files of translations. */
export function createTranslationReader(files: ConcordanceFiles) {
  const stemCache = createStemCache();

  /** Returns the content of the newest file of a translation. Throws `translationNotFound`. */
  const contentOf = ({ identifier }: ConcordanceTranslation): ConcordanceContent => {
    const content = files.use(identifier);
    if (!content) throw errors.translationNotFound(identifier);
    return content;
  };

  const isCurrent = (translation: ConcordanceTranslation): boolean =>
    files.find(translation.identifier) === translation;

  return {
    contentOf,

    /** Returns false if the translation has been replaced or removed. */
    isCurrent,

    /**
     * Checks the file of a translation against its checksum, if this process has not done so
     * before. Yields between short steps, so that other requests are executed in between.
     */
    verifyInSteps: files.verifyInSteps,

    /** Returns the translation with an identifier. Throws `translationNotFound`. */
    translationBy(identifier: string): ConcordanceTranslation {
      const translation = files.find(identifier);
      if (!translation) throw errors.translationNotFound(identifier);
      return translation;
    },

    /**
     * Returns the open file of a translation. Null if the translation has been replaced or removed.
     */
    currentContent: (translation: ConcordanceTranslation): ConcordanceContent | null =>
      isCurrent(translation) ? files.use(translation.identifier) : null,

    /**
     * Reads a stem with its forms and verses, or finds it in the cache. Throws
     * `translationNotFound`.
     */
    stemEntry(translation: ConcordanceTranslation, lemma: string): StemEntry {
      const key = `${translation.cacheKey} ${lemma}`;
      const cached = stemCache.get(key);
      if (cached) return cached;
      const entry = contentOf(translation).readStem(lemma);
      // Clients can send any number of unknown words, so only existing stems are cached.
      if (entry.number !== null && isCurrent(translation)) stemCache.set(key, entry);
      return entry;
    },

    /**
     * Reads verses with one SQL statement and returns them by ordinal (43003016 for JHN 3:16).
     * Leaves out missing verses. Throws `translationNotFound`.
     */
    readVerses: (translation: ConcordanceTranslation, ordinals: readonly number[]): ReadonlyMap<number, IndexedVerse> =>
      new Map(
        contentOf(translation)
          .readVerses(ordinals)
          .map((row): [number, IndexedVerse] => [row.ordinal, indexedVerse(translation, row)]),
      ),
  };
}
