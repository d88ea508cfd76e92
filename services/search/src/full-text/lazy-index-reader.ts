import type { Database } from 'better-sqlite3';
import type { TranslationIndex } from './translation-index';
import { readTranslationIndex } from './translation-index';

/** Reads the index of an open search.sqlite when it is first used. */
export interface IndexReader {
  /** Returns the index. The first call reads it without pauses, which takes about 10 ms. */
  read(): TranslationIndex;
  /**
   * Returns the index. Yields between short steps, which concurrent callers share. Returns null if
   * the file was closed before the last step.
   */
  readInSteps(): Generator<void, TranslationIndex | null>;
}

export function createIndexReader(db: Database, language: string): IndexReader {
  let index: TranslationIndex | null = null;
  let steps: ReturnType<typeof readTranslationIndex> | null = null;
  /** Takes one step. Returns the index after the last one, and null before. */
  const step = (): TranslationIndex | null => {
    try {
      steps ??= readTranslationIndex(db, language);
      const result = steps.next();
      if (result.done === true) index = result.value;
      return index;
    } catch (error) {
      steps = null;
      throw error;
    }
  };

  return {
    read(): TranslationIndex {
      for (;;) {
        const read = index ?? step();
        if (read) return read;
      }
    },

    *readInSteps(): Generator<void, TranslationIndex | null> {
      for (;;) {
        if (!index && !db.open) return null;
        const read = index ?? step();
        if (read) return read;
        yield;
      }
    },
  };
}
