import type { Book, BookCode, NamedPassageMatch, TestamentCode } from '@lectern/canon';
import { allBooks, indexOfSorted } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { WorkBudget } from '@lectern/serving';
import { type NearestVerses, noNearestVerses } from '../semantic/nearest-ranking';
import { type IndexedTranslation, readIndexInSteps, type SearchFiles } from '../store';
import type { Found, FoundHit, MatchReason, MergedHits, Searched, VerseKeys } from './merge-hits';
import { createVerseKeys, hitsPerStep, mergeHits, ownKeys, versesOfKey } from './merge-hits';
import { bestByScore, createPageCollector, type Hit, type SearchOrder } from './page';
import { type ParsedQuery, parseQuery, withBeginning } from './query';
import { maxRankedVerses, rankBest, rankByMeaning } from './rank';
import { maxScore } from './score-verses';
import type { TranslationIndex } from './translation-index';

/** How verses are found. HYBRID is the old name of BEST. */
export type SearchMode = 'BEST' | 'WORDS' | 'MEANING' | 'HYBRID';

export interface FullTextRequest {
  query: ParsedQuery;
  /** The passages whose names resemble the query. Only the mode BEST uses them. */
  passages: readonly NamedPassageMatch[];
  mode: SearchMode;
  /** The verses nearest to the query in meaning, for each translation. Empty in the mode WORDS. */
  nearest: readonly NearestVerses[];
  /** The result of `words` for the query, which the mode BEST needs. If it is null, the search computes it. */
  words: FoundWords | null;
  /** Ordinals in the first translation that references in the query name. By RELEVANCE, they are first. */
  named: readonly number[];
  guidance: Guidance;
  books: ReadonlySet<BookCode> | null;
  testament: TestamentCode | null;
  order: SearchOrder;
  first: number;
  /** The last hit of the previous page. Null for the first page. */
  after: Hit | null;
}

/** What the understanding of a query adds to its search. Verses are in the standard numbering. */
export interface Guidance {
  /** Verses that come first, after `named`, and why. */
  leading: readonly number[];
  reason: 'CARE' | 'UNDERSTOOD';
  /** If this is not null, the search leaves out all verses but these and `named`. */
  harmless: ReadonlySet<number> | null;
}

/** One page of the hits of a search, and what is known of all of them. */
export interface FoundPage extends Pick<Found['result'], 'leftOut'> {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** The number of all hits that pass the filters, not only those on this page. */
  readonly total: number;
  readonly byBook: readonly { book: Book; count: number }[];
  readonly hits: FoundHit[];
  /** Whether no verse has all words, even without the filters. False if a reference names a verse. */
  readonly lacksFullHits: boolean;
}

/** Translations whose words the mode BEST also compares: readers may quote one that is not searched. */
export const wordSources = ['eng-web', 'eng-kjv', 'spa-rv1909'];

/** Compares queries with the words of translations alone. Opens a translation at its first search. */
function createWordSearch(files: SearchFiles, sharedWork: WorkBudget) {
  const keysOfTranslations = new WeakMap<IndexedTranslation, VerseKeys>();
  /** Returns the index of a translation. Throws `translationNotFound` if its file is unusable. */
  function* indexOf({ identifier }: IndexedTranslation): Generator<void, TranslationIndex> {
    const index = yield* readIndexInSteps(files, identifier);
    if (!index) throw errors.translationNotFound(identifier);
    return index;
  }
  const keysOf = (translation: IndexedTranslation, { ordinals }: TranslationIndex): VerseKeys => {
    const keys = keysOfTranslations.get(translation) ?? createVerseKeys(ordinals, translation.numbering);
    keysOfTranslations.set(translation, keys);
    return keys;
  };

  const otherWordSources = (searched: readonly IndexedTranslation[]): IndexedTranslation[] =>
    wordSources.flatMap((identifier) => files.find(identifier) ?? []).filter((each) => !searched.includes(each));

  function* readForBest(translations: readonly IndexedTranslation[]): Generator<void, void> {
    for (const translation of translations) {
      const index = yield* readIndexInSteps(files, translation.identifier);
      yield;
      if (index) keysOf(translation, index);
      yield;
    }
  }

  function* toSearched(translations: readonly IndexedTranslation[]): Generator<void, Searched[]> {
    const searched: Searched[] = [];
    for (const translation of translations) {
      const index = yield* indexOf(translation);
      yield;
      searched.push({ translation, index, keys: translations.length > 1 ? keysOf(translation, index) : ownKeys });
    }
    return searched;
  }

  /** Compares the query with the words of the searched translations and of `wordSources`. */
  function* findWords(searched: readonly Searched[], query: ParsedQuery): Generator<void, FoundWords> {
    const others: Searched[] = [];
    for (const translation of otherWordSources(searched.map((each) => each.translation))) {
      const index = yield* readIndexInSteps(files, translation.identifier);
      if (index) others.push({ translation, index, keys: ownKeys });
    }
    const { found, hasFullHits } = yield* findInAll([...searched, ...others], [query]);
    // A verse is the same in all sources if it has the same number in the standard numbering.
    const sources = found.map((source) => ({ ...source, keys: keysOf(source.translation, source.index) }));
    return { searched, sources, hasFullHits };
  }

  /** Reads what the first search in the mode BEST needs. No request pays, because later searches use it. */
  function prepareBest(translations: readonly IndexedTranslation[]): void | Promise<void> {
    const unread = [...translations, ...otherWordSources(translations)].filter((each) => !keysOfTranslations.has(each));
    return unread.length === 0 ? undefined : sharedWork.runInSteps(readForBest(unread));
  }

  /** Returns whether a verse of a searched translation or of `wordSources` contains the words in their order. */
  function* isQuoted(translations: readonly IndexedTranslation[], query: string): Generator<void, boolean> {
    const phrase = parseQuery(`"${query.replaceAll('"', ' ')}"`);
    for (const { identifier } of [...translations, ...otherWordSources(translations)]) {
      const index = yield* readIndexInSteps(files, identifier);
      if (index && (yield* index.findFull(phrase)).hits.verses.length > 0) return true;
    }
    return false;
  }

  return { indexOf, keysOf, toSearched, findWords, prepareBest, isQuoted };
}

/** Searches the verses of one or more translations. Generators yield between short steps. */
export function createCrossTranslationSearch(files: SearchFiles, sharedWork: WorkBudget) {
  const { keysOf, toSearched, findWords, ...words } = createWordSearch(files, sharedWork);

  return {
    ...words,

    *words(translations: readonly IndexedTranslation[], query: ParsedQuery): Generator<void, FoundWords> {
      return yield* findWords(yield* toSearched(translations), query);
    },

    *page(translations: readonly IndexedTranslation[], request: FullTextRequest): Generator<void, FoundPage> {
      const searched = request.words?.searched ?? (yield* toSearched(translations));
      const selected = selectedBooks(request);
      const named = new Set(request.named.map((ordinal) => searched[0]?.keys.keyOf(ordinal) ?? ordinal));
      const { leading, reason, harmless } = request.guidance;
      const [first] = searched;
      const { keyOf } = first && searched.length === 1 ? keysOf(first.translation, first.index) : ownKeys;
      const isSelected = (key: number): boolean =>
        selected[bookPosition(key)] === true && (!harmless || named.has(key) || harmless.has(keyOf(key)));
      const isBest = request.mode === 'BEST' || request.mode === 'HYBRID';
      const { found, hasFullHits, reasonsOf } = isBest
        ? yield* findBest(searched, request, request.words ?? (yield* findWords(searched, request.query)), isSelected)
        : yield* findByWordsOrMeaning(searched, request);
      const guided = new Set(
        searched.flatMap(({ translation, index, keys }) =>
          leading
            .flatMap(keysOf(translation, index).ordinalsOf)
            .filter((ordinal) => indexOfSorted(index.ordinals, ordinal) >= 0)
            .map(keys.keyOf),
        ),
      );
      yield;
      const scores = new Map(Array.from(guided, (key, at) => [key, maxScore - 1 - at]));
      for (const key of named) scores.set(key, maxScore);
      const all = yield* mergeHits(found, scores);
      yield;
      const { relevanceOf, ...merged } =
        request.mode === 'WORDS' ? { ...all, relevanceOf: () => null } : relevantHits(bestHits(all, isSelected));

      const collector = createPageCollector(request);
      const counts = new Uint32Array(allBooks.length + 1);
      let total = 0;
      for (let index = 0; index < merged.keys.length; index += 1) {
        if (index % hitsPerStep === 0) yield;
        const key = merged.keys[index] ?? 0;
        const position = bookPosition(key);
        if (!isSelected(key)) continue;
        total += 1;
        counts[position] = (counts[position] ?? 0) + 1;
        collector.add(merged.scores[index] ?? 0, key);
      }
      const { hits, hasNextPage, hasPreviousPage } = collector.page();
      return {
        hasNextPage,
        hasPreviousPage,
        total,
        byBook: allBooks.map((book) => ({ book, count: counts[book.position] ?? 0 })).filter(({ count }) => count > 0),
        hits: hits.map((hit) => {
          const isNamed = named.has(hit.ordinal);
          const isGuided = guided.has(hit.ordinal);
          const isFirst = isNamed || isGuided;
          const matchedBy: MatchReason[] = [
            ...(isNamed ? ['REFERENCE' as const] : []),
            ...(isGuided ? [reason] : []),
            ...reasonsOf(hit.ordinal, isFirst),
          ];
          // A spread copy of the hit would take V8 microseconds and leave a new hidden class in the old heap each time.
          const { verses, similarity } = versesOfKey(hit.ordinal, found, isFirst);
          const relevance = relevanceOf(hit.ordinal);
          return { score: hit.score, ordinal: hit.ordinal, verses, similarity, relevance, matchedBy };
        }),
        lacksFullHits: request.mode !== 'MEANING' && named.size === 0 && !hasFullHits,
        leftOut: bestOf(found)?.leftOut ?? null,
      };
    },
  };
}

export type CrossTranslationSearch = ReturnType<typeof createCrossTranslationSearch>;

/** The verses that were found by the words of a query, in the searched translations and in `wordSources`. */
interface FoundWords extends Pick<FoundInAll, 'hasFullHits'> {
  readonly searched: readonly Searched[];
  readonly sources: readonly Found[];
}

interface FoundByMode extends FoundInAll {
  /** Returns why a hit (by its key) was found, the strongest reason first, but without a reference (`isNamed`). */
  reasonsOf(key: number, isNamed: boolean): MatchReason[];
}

interface FoundInAll {
  readonly found: Found[];
  /** Whether the words were searched and a verse contains all of them. */
  readonly hasFullHits: boolean;
}

function* findBest(
  searched: readonly Searched[],
  { query, passages, nearest }: FullTextRequest,
  { sources, hasFullHits }: FoundWords,
  isSelected: (ordinal: number) => boolean,
): Generator<void, FoundByMode> {
  const best = yield* rankBest(sources, { query, passages, nearest, isSelected });
  const results = searched.flatMap((each, at) => {
    const result = best.results[at];
    return result ? [{ ...each, result }] : [];
  });
  // If only one translation is searched, the key of a hit is its ordinal in this translation.
  const { keyOf } = (searched.length === 1 ? sources[0]?.keys : undefined) ?? ownKeys;
  return { found: results, hasFullHits, reasonsOf: (key) => best.reasonsOf(keyOf(key)) };
}

function* findByWordsOrMeaning(
  searched: readonly Searched[],
  { mode, query, nearest }: FullTextRequest,
): Generator<void, FoundByMode> {
  if (mode === 'WORDS') {
    const beginning = withBeginning(query);
    // A last word that has a synonym is complete: `hell` stands for Hades, not for the beginning of `Hellenists`.
    const last = query.units[query.sequence.at(-1) ?? 0]?.words[0] ?? '';
    const mayContinue = beginning && !searched.some(({ index }) => index.synonymsOf(last).length > 0);
    const { found, hasFullHits } = yield* findInAll(searched, mayContinue ? [query, beginning] : [query]);
    return { found, hasFullHits, reasonsOf: (_, isNamed) => (isNamed ? [] : ['WORDS']) };
  }
  const found = yield* resultsOf(searched, (index, at) => rankByMeaning(index, query, nearest[at] ?? noNearestVerses));
  return { found, hasFullHits: false, reasonsOf: (_, isNamed) => (isNamed ? [] : ['MEANING']) };
}

/** Returns the full hits of the first query that has any, or else relaxed hits of the first query. */
function* findInAll(
  searched: readonly Searched[],
  [query, ...others]: readonly [ParsedQuery, ...ParsedQuery[]],
): Generator<void, FoundInAll> {
  for (const each of [query, ...others]) {
    const found = yield* resultsOf(searched, ({ findFull }) => findFull(each));
    if (found.some(({ result }) => result.hits.verses.length > 0)) return { found, hasFullHits: true };
  }
  return { found: yield* resultsOf(searched, ({ findRelaxed }) => findRelaxed(query)), hasFullHits: false };
}

function* resultsOf(
  searched: readonly Searched[],
  search: (index: TranslationIndex, at: number) => Generator<void, Found['result']>,
): Generator<void, Found[]> {
  const found: Found[] = [];
  for (const [at, { translation, index, keys }] of searched.entries())
    found.push({ translation, index, keys, result: yield* search(index, at) });
  return found;
}

function bestHits({ keys, scores }: MergedHits, isSelected: (ordinal: number) => boolean): MergedHits {
  const best = bestByScore(scores, keys, maxRankedVerses, isSelected);
  return { keys: best.map(({ ordinal }) => ordinal), scores: best.map(({ score }) => score) };
}

/** A score above that of any similarity: of a reference, of a full name of a passage, or of a verse that comes first. */
const certainScore = 20_000;

/** The share of the way from the background to the best score that a relevant verse has at least. */
const minRelevance = 0.3;
/** If the background is known, nothing stands out from it by less than this score. */
const minDistance = 600;

/**
 * Returns the hits that stand out from the background, the last of 500 hits, to which unrelated verses are similar.
 * `hits` has the best first.
 */
function relevantHits({ keys, scores }: MergedHits) {
  const similar = Array.from(scores).filter((score) => score < certainScore);
  const [best = 0] = similar;
  const background = similar.at(-1) ?? 0;
  const distance = minRelevance * (best - background);
  const isKnown = keys.length >= maxRankedVerses;
  const minScore = background + (isKnown ? Math.max(distance, minDistance) : distance);
  const count = Array.from(scores).filter((score) => score >= minScore).length;
  return {
    keys: Array.from(keys).slice(0, count),
    scores: Array.from(scores).slice(0, count),
    /** Returns how much a hit stands out, from 0 to 1 with two decimals. */
    relevanceOf(key: number): number | null {
      const score = scores[Array.from(keys).indexOf(key)] ?? 0;
      return score >= best ? 1 : Math.round((100 * (score - background)) / (best - background)) / 100;
    },
  };
}

function bestOf(found: readonly Found[]): Found['result'] | undefined {
  const bestScore = ({ result }: Found): number =>
    result.hits.scores.reduce((best, score) => Math.max(best, score), -1);
  return found.length === 1 ? found[0]?.result : [...found].sort((a, b) => bestScore(b) - bestScore(a))[0]?.result;
}

/** Returns for each book whether it passes the filters. The index is the book's position, which counts from 1. */
const selectedBooks = ({ books: codes, testament }: FullTextRequest): boolean[] => [
  false,
  ...allBooks.map(
    (book) => (codes === null || codes.has(book.code)) && (testament === null || book.testament === testament),
  ),
];

const bookPosition = (ordinal: number): number => Math.floor(ordinal / 1_000_000);
