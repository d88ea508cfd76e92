import { openCorpus } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import type { Token } from '@lectern/words';
import { stemmerFor, tokenize } from '@lectern/words';

export interface ScannedVerse {
  /** The place of the verse as `BOOK:chapter:verse`. */
  place: string;
  words: readonly (Token & { stem: string })[];
}

/**
 * Returns the stemmer of a translation's language with a cache, because a Bible repeats each word
 * many times.
 */
export function memoizedStemmer(language: string): (folded: string) => string {
  const stemOf = stemmerFor(language);
  const stems = new Map<string, string>();
  return (folded) => {
    const stem = stems.get(folded) ?? stemOf(folded);
    stems.set(folded, stem);
    return stem;
  };
}

/** Reads the words of every verse from the corpus, without the concordance index. */
export function scanTranslation(identifier: string): ScannedVerse[] {
  const corpus = openCorpus(dataDir);
  const stemOf = memoizedStemmer(corpus.translation(identifier)?.language ?? '');
  const verses = Array.from(corpus.eachVerse(identifier), ({ book, chapter, verse, text }) => ({
    place: `${book}:${chapter}:${verse}`,
    words: tokenize(text).map((token) => ({ ...token, stem: stemOf(token.folded) })),
  }));
  corpus.close();
  return verses;
}
