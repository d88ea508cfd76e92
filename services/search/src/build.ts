import { join } from 'node:path';
import { verseOrdinal } from '@lectern/canon';
import {
  type BuildIndex,
  buildIndexes,
  type Corpus,
  defaultJobs,
  type Translation,
  type WordTag,
} from '@lectern/corpus';
import { type FileCheck, secondsSince, writeTranslationFile } from '@lectern/data-files';
import { createTermFolding, foldWord, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { searchTokens } from './full-text/query';
import { type IndexedTranslation, searchFileKind, searchTables } from './store';

/** A verse to index. Its ordinal is its place as a number: 43003016 for JHN 3:16. */
interface VerseToIndex {
  readonly ordinal: number;
  readonly text: string;
  readonly words?: readonly WordTag[];
}

interface BuildSearchIndexOptions {
  dataDir: string;
  log: (line: string) => void;
  /** The maximum number of translations that are built at the same time. Default: one for each core. */
  jobs?: number;
  /** How existing files are checked. By default their whole contents are read. */
  check?: FileCheck;
}

/** Builds each search.sqlite that is missing, damaged or outdated. Resolves with false if there is none. */
export async function buildSearchIndex({
  jobs = defaultJobs(),
  check = 'contents',
  ...options
}: BuildSearchIndexOptions): Promise<boolean> {
  const built = await buildIndexes({
    ...options,
    kind: searchFileKind,
    check,
    jobs,
    build: buildSearchFile,
    workerFile: join(__dirname, '..', 'dist', 'build-worker.js'),
  });
  return built.length > 0;
}

export const buildSearchFile: BuildIndex = async ({ dataDir, corpus, translation, textDigest }) => {
  const startedAt = performance.now();
  const { identifier, language, numbering, books, restricted } = translation;
  const indexed: IndexedTranslation = {
    identifier,
    language,
    numbering,
    restricted,
    books: books.map(({ code, name }) => ({ code, name })),
  };
  let counts = { verses: 0, terms: 0 };
  await writeTranslationFile(dataDir, searchFileKind, identifier, (db) => {
    db.exec(searchTables);
    const insert = db.prepare('INSERT INTO verse (ordinal, text) VALUES (?, ?)');
    const verses = insertedVerses(corpus, translation, ({ ordinal, text }) => insert.run(ordinal, text));
    counts = writeFullTextIndex(db, language, verses);
    return { identifier, textDigest, entry: JSON.stringify(indexed), builtAt: new Date().toISOString() };
  });
  return `${identifier}: indexed ${counts.verses} verses and ${counts.terms} words in ${secondsSince(startedAt)} s`;
};

/** Calls `insert` with each verse. Reads one book at a time, so that memory never holds a whole translation. */
function* insertedVerses(
  corpus: Corpus,
  { identifier, books, features }: Pick<Translation, 'identifier' | 'books' | 'features'>,
  insert: (verse: VerseToIndex) => void,
): Generator<VerseToIndex> {
  const hasLemmas = features.includes('LEMMAS');
  for (const { code } of books) {
    const first = verseOrdinal({ book: code, chapter: 0, verse: 0 });
    const places = corpus.range(identifier, first, first + 999_999);
    const words = hasLemmas ? corpus.words(identifier, places) : [];
    for (const [index, place] of places.entries()) {
      const verse = { ordinal: verseOrdinal(place), text: place.text, words: words[index] ?? [] };
      insert(verse);
      yield verse;
    }
  }
}

interface Term {
  /** Counts terms by first occurrence. The final id is the number in alphabetical order. */
  readonly provisionalId: number;
  readonly folded: string;
  /** The verses that contain the term, by their indexes in canonical order. */
  readonly verses: number[];
  /** The lemmas of the term, without case and accents. Empty if the source has no lemmas. */
  readonly lemmas: Set<string>;
  readonly spellings: Map<string, number>;
}

/** Writes the full-text index of a translation. The verses must be in canonical order. */
export function writeFullTextIndex(
  db: Database,
  language: string,
  verses: Iterable<VerseToIndex>,
): { verses: number; terms: number } {
  const stemOf = stemmerFor(language);
  const { terms, stream, starts, ordinals } = collectTerms(verses, createTermFolding(language));
  const sorted = [...terms.values()].sort((a, b) => compare(a.folded, b.folded));
  const ids = new Uint32Array(sorted.length);
  for (const [id, term] of sorted.entries()) ids[term.provisionalId] = id;
  const stems = sorted
    .flatMap(({ folded, lemmas }, id) =>
      lemmas.size === 0 ? { id, stem: stemOf(folded) } : [...lemmas.add(folded)].map((stem) => ({ id, stem })),
    )
    .sort((a, b) => compare(a.stem, b.stem) || a.id - b.id);
  const stemTerms = stems.map(({ id }) => id);
  const words = stream.map((provisionalId) => ids[provisionalId] ?? 0);
  const postings = sorted.flatMap((term) => term.verses);
  const postingStarts = [0];
  for (const { verses: ofTerm } of sorted) postingStarts.push((postingStarts.at(-1) ?? 0) + ofTerm.length);
  db.prepare(
    'INSERT INTO full_text (terms, written, stems, stem_terms, ordinals, starts, words, posting_starts, postings) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    sorted.map(({ folded }) => folded).join('\n'),
    sorted.map(({ spellings }) => commonestSpelling(spellings)).join('\n'),
    stems.map(({ stem }) => stem).join('\n'),
    toIdBytes(stemTerms, sorted.length),
    toBytes(ordinals),
    toBytes(starts),
    toIdBytes(words, sorted.length),
    toBytes(postingStarts),
    toIdBytes(postings, ordinals.length),
  );
  return { verses: ordinals.length, terms: sorted.length };
}

/** `stream` has all words as provisional ids. `starts` has the index in `stream` at which each verse begins. */
function collectTerms(verses: Iterable<VerseToIndex>, termOf: ReturnType<typeof createTermFolding>) {
  const terms = new Map<string, Term>();
  const stream: number[] = [];
  const starts = [0];
  const ordinals: number[] = [];

  for (const { ordinal, text, words = [] } of verses) {
    const verse = ordinals.length;
    let next = 0;
    for (const token of searchTokens(text)) {
      const folded = termOf(token);
      const term: Term = terms.get(folded) ?? {
        provisionalId: terms.size,
        folded,
        verses: [],
        lemmas: new Set(),
        spellings: new Map(),
      };
      terms.set(folded, term);
      term.spellings.set(token.text, (term.spellings.get(token.text) ?? 0) + 1);
      if (term.verses.at(-1) !== verse) term.verses.push(verse);
      stream.push(term.provisionalId);
      const end = token.start + token.length;
      for (let word = words[next]; word && word.start < end; word = words[++next])
        if (word.lemma !== undefined) term.lemmas.add(foldWord(word.lemma));
    }
    starts.push(stream.length);
    ordinals.push(ordinal);
  }
  return { terms, stream, starts, ordinals };
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const toBytes = (integers: readonly number[]): Buffer => Buffer.from(Uint32Array.from(integers).buffer);

/** Returns ids as bytes. Each id takes 16 bits if these suffice for `count` different ids, otherwise 32 bits. */
const toIdBytes = (ids: readonly number[], count: number): Buffer =>
  count <= 65_536 ? Buffer.from(Uint16Array.from(ids).buffer) : toBytes(ids);

/** Returns the most frequent spelling, if possible without a capital, which may only start a sentence. */
function commonestSpelling(spellings: ReadonlyMap<string, number>): string {
  const ordered = [...spellings].sort(
    ([a, countA], [b, countB]) =>
      Number(startsWithCapital(a)) - Number(startsWithCapital(b)) || countB - countA || (a < b ? -1 : 1),
  );
  return ordered[0]?.[0] ?? '';
}

const startsWithCapital = (text: string): boolean => /^\p{Lu}/u.test(text);
