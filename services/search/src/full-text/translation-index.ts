import { functionWords, ordinaryWords, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { createVerseSearch } from './find-verses';
import { searchTokens } from './query';
import { createSuggestion, type KnownWords, lettersOf } from './suggest';
import { createFunctionWordCheck } from './synonyms';
import { createStemOccurrences, createTermDictionary, type Postings, type TermStream } from './term-dictionary';

export function createIndexReader(db: Database, language: string) {
  let index: TranslationIndex | null = null;
  let steps: ReturnType<typeof readTranslationIndex> | null = null;
  /** Takes one step. Returns the index after the last step, and null after any other step. */
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
    /** The first call reads the index without yielding, which takes about 10 ms. */
    read(): TranslationIndex {
      let read = index;
      while (!read) read = step();
      return read;
    },

    /** Concurrent callers share the steps. Returns null if the file was closed before the last step. */
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

type FullTextRow = Record<'terms' | 'written' | 'stems', string> &
  Record<'stem_terms' | 'ordinals' | 'starts' | 'words' | 'posting_starts' | 'postings', Buffer>;

/** Groups of columns that one statement reads. A statement takes one to two milliseconds. */
const columnGroups = [
  ['terms', 'written', 'stems', 'stem_terms', 'ordinals', 'starts'],
  ['words'],
  ['posting_starts', 'postings'],
] as const;

/** Reads an index into memory (5 MB), because the file may be closed while a search yields. */
export function* readTranslationIndex(db: Database, language: string) {
  const row = {} as FullTextRow;
  for (const columns of columnGroups) {
    const read = db.prepare<[], Partial<FullTextRow>>(`SELECT ${columns.join(', ')} FROM full_text`).get();
    if (!read) throw new Error(`${db.name} has no words`);
    Object.assign(row, read);
    yield;
  }
  const terms = toLines(row.terms);
  yield;
  const stems = toLines(row.stems);
  yield;
  return createTranslationIndex(row, { terms, stems, language });
}

export type TranslationIndex = ReturnType<typeof createTranslationIndex>;

const bytesPerTerm = 100;

/** Estimates how many bytes of memory the index of an open file takes once it is read. */
export function bytesOfIndex(db: Database): number {
  const lengths = db
    .prepare<[], { terms: number; bytes: number }>(
      'SELECT length(posting_starts) / 4 AS terms, length(ordinals) + length(starts) + length(words) + length(posting_starts) + length(postings) + octet_length(written) AS bytes FROM full_text',
    )
    .get();
  return lengths ? lengths.bytes + lengths.terms * bytesPerTerm : 0;
}

function createTranslationIndex(
  row: FullTextRow,
  { terms, stems, language }: { terms: readonly string[]; stems: readonly string[]; language: string },
) {
  // The closures below use this variable, because a closure that uses `row` would keep all its columns in memory.
  const { written } = row;
  const starts = toIntegers(row.starts);
  const stream: TermStream = { starts, words: toIds(row.words, starts.at(-1) ?? 0) };
  const postingStarts = toIntegers(row.posting_starts);
  const postings: Postings = { starts: postingStarts, verses: toIds(row.postings, postingStarts.at(-1) ?? 0) };
  const stemOf = stemmerFor(language);
  const stopWords = functionWords(language);
  const stemTerms = toIds(row.stem_terms, stems.length);
  const dictionary = createTermDictionary(terms, stems, stemTerms, postings, language);
  const search = createVerseSearch(dictionary, stream, postings, createFunctionWordCheck(stopWords));
  let knownWords: KnownWords | undefined;

  return {
    ...search,
    synonymsOf: dictionary.synonymsOf,

    ...createSuggestion(
      dictionary,
      search,
      () =>
        (knownWords ??= {
          folded: terms,
          written: toLines(written),
          verses: Uint32Array.from(terms, (_, term) => dictionary.countVerses(term)),
          letters: Int32Array.from(terms, lettersOf),
          isFunctionWord: (folded) => stopWords.has(folded),
        }),
      // The query may be in another language than the translation, so the words of all listed languages count.
      (folded) => stopWords.has(folded) || listedLanguages.some((each) => ordinaryWordsOf(each).has(folded)),
    ),

    /** Returns the stems of a query, without duplicates and without function words such as `the`. */
    stemsOf(query: string): string[] {
      const words = searchTokens(query).map(({ folded }) => folded);
      return [...new Set(words.filter((folded) => !stopWords.has(folded)).map(stemOf))];
    },

    stemOccurrences: createStemOccurrences(dictionary, stream, postings, stopWords),

    wordCountOf: (verse: number): number => (starts[verse + 1] ?? 0) - (starts[verse] ?? 0),

    /** The ordinal of each verse (43003016 for JHN 3:16), by its index in the translation. */
    ordinals: toIntegers(row.ordinals),
  };
}

const listedLanguages = ['eng', 'spa'];
const ordinaryWordsByLanguage = new Map<string, ReadonlySet<string>>();

/** Returns the ordinary words of a language. Reads the list at its first use, which takes at most 20 ms. */
function ordinaryWordsOf(language: string): ReadonlySet<string> {
  const words = ordinaryWordsByLanguage.get(language) ?? ordinaryWords(language);
  ordinaryWordsByLanguage.set(language, words);
  return words;
}

const toLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** Returns a BLOB as integers. It need not be copied, because each BLOB has its own memory. */
const toIntegers = ({ buffer, byteOffset, byteLength }: Buffer): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);

/** Returns a BLOB as ids of 16 or 32 bits. `count` is the number of ids. */
const toIds = (bytes: Buffer, count: number): Uint16Array | Uint32Array =>
  bytes.length === count * Uint32Array.BYTES_PER_ELEMENT
    ? toIntegers(bytes)
    : new Uint16Array(bytes.buffer, bytes.byteOffset, count);
