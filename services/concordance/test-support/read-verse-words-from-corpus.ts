import { openCorpus } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { stemmerFor, type Token, verseWords } from '@lectern/words';
import { memoizeByWord } from '../src/data/words';

export interface ScannedVerse {
  /** The place of the verse as `BOOK:chapter:verse`. */
  place: string;
  words: readonly (Token & { stem: string })[];
}

/** Reads the words of every verse from the corpus, without the concordance index. */
export function scanTranslation(identifier: string): ScannedVerse[] {
  const corpus = openCorpus(dataDir);
  const language = corpus.translation(identifier)?.language ?? '';
  const stemOf = memoizeByWord(stemmerFor(language, 'distinct'));
  const verses = Array.from(corpus.eachVerse(identifier), ({ book, chapter, verse, text }) => ({
    place: `${book}:${chapter}:${verse}`,
    // Names each property, because spreading 800,000 tokens takes more than twice as long.
    words: verseWords(text, language).map(({ text: word, start, length, folded }) => ({
      text: word,
      start,
      length,
      folded,
      stem: stemOf(folded),
    })),
  }));
  corpus.close();
  return verses;
}
