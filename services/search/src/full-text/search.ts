import {
  type BookCode,
  findNamedPassages,
  mayNameChapter,
  type TestamentCode,
  type TranslationShape,
} from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchStore } from '../store';
import type { Understanding } from '../understanding';
import { createTranslationShape, findQueryReference, type QueryReference } from './find-references';
import { withNumberWords } from './number-words';
import { parseOperators } from './operators';
import { formatCursor, type Hit, parseCursor, type SearchOrder } from './page';
import { canonicalQuery, type ParsedQuery, parseQuery, withBeginning } from './query';
import type { CrossTranslationSearch, FoundPage, FullTextRequest, Guidance, SearchMode } from './verse-search';

/** The search arguments as the client sent them. */
export interface SearchArguments {
  query: string;
  /** The books to search, as codes or names separated by commas. */
  books?: string | null;
  testament?: keyof typeof testamentCodes | null;
  /** Whether the last word also matches words that begin with it. */
  prefix?: boolean | null;
  order: SearchOrder | null;
  /** The cursor of the last hit before the page. */
  after?: string | null;
}

const maxQueryLength = 200;

/** Checks the length of a query for full-text search and semantic search. Throws `tooLong` or `blank`. */
export function validateQuery(query: string): void {
  if (query.length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
  if (query.trim() === '') throw errors.blank('query');
}

export const clamp = (count: number, min: number, max: number): number => Math.min(Math.max(count, min), max);

/** The minimum score of a passage's name. With a lower score, the client rarely means the passage. */
const minPassageScore = 0.6;

const defaultFirst = 25;
const maxFirst = 100;

/** The translations to search, at least one, without duplicates. */
export type SearchedTranslations = readonly [IndexedTranslation, ...IndexedTranslation[]];

const testamentCodes = { OLD: 'OT', NEW: 'NT' } as const satisfies Record<string, TestamentCode>;

/** The verses nearest in meaning to the query. `mode` is WORDS if the query could not be embedded. */
export type Meaning = Pick<FullTextRequest, 'mode' | 'nearest'>;

/** The parts of a search that need no vectors. The mode becomes WORDS if the query cannot be embedded. */
export interface PreparedSearch extends Pick<FullTextRequest, 'query' | 'passages' | 'books' | 'words'> {
  readonly translations: SearchedTranslations;
  readonly args: SearchArguments;
  readonly named: QueryReference | null;
  readonly text: string;
  readonly parse: (text: string, hasReference?: boolean) => ParsedQuery;
}

/** One page of hits, and how its query was read. */
export interface SearchPage extends Omit<FoundPage, 'lacksFullHits'>, Pick<FullTextRequest, 'mode'> {
  /** The corrected query. Null unless the query as typed finds nothing. */
  readonly correctedQuery: string | null;
  /** The first of the searched translations. Book names in the query are read in its language. */
  readonly translation: IndexedTranslation;
  readonly understanding: Understanding;
  /** The named passage that is the whole query. Null if there is none, or in the mode WORDS or MEANING. */
  readonly passage: string | null;
  /** The normalized references of the query, such as `John 3:16; Romans 8:28`. Null if it has none. */
  readonly reference: string | null;
  /** Returns the cursor of a hit. The next page begins after this hit. */
  cursorOf(hit: Hit): string;
  /** Returns a similar query that finds verses, or null. Null if a verse has all words of the query. */
  suggestion(): Generator<void, string | null>;
}

/** What a query was understood to be, beside words. */
interface Understood {
  understanding: Understanding;
  guidance: Guidance;
}

const nothingUnderstood: Understood = {
  understanding: { saying: null, need: null },
  guidance: { leading: [], reason: 'UNDERSTOOD', harmless: null },
};

/** Reads what a query asks for, before the search. */
function createQueryReader(store: SearchStore, search: CrossTranslationSearch) {
  const shapes = new WeakMap<Uint32Array, TranslationShape>();

  function* findReference(translation: IndexedTranslation, query: string): Generator<void, QueryReference | null> {
    const { ordinals } = yield* search.indexOf(translation);
    const bookName = (book: BookCode): string => store.bookName(translation, book);
    const shape = shapes.get(ordinals) ?? createTranslationShape(ordinals, translation.language, bookName);
    shapes.set(ordinals, shape);
    return yield* findQueryReference(query, shape);
  }

  /** Prepares all that needs no vectors, while the model embeds the query. */
  function* prepare(
    translations: SearchedTranslations,
    args: SearchArguments,
    mode: SearchMode,
    parse: PreparedSearch['parse'],
  ): Generator<void, PreparedSearch> {
    validateQuery(args.query);
    const [translation] = translations;
    // Without a chapter, looking for references would take longer than the search.
    const mayHaveReference = mayNameChapter(args.query, translation.language);
    const named = mayHaveReference ? yield* findReference(translation, args.query) : null;
    const text = named?.rest ?? args.query;
    const typed = parse(text, named !== null);
    const query = (args.prefix ? withBeginning(typed) : null) ?? typed;
    const books = yield* store.books(translation, args.books);
    const { language } = translation;
    const isBest = mode === 'BEST' || mode === 'HYBRID';
    const similar = isBest ? findNamedPassages(text, { language, limit: 3 }) : [];
    const passages = similar.filter(({ isFull, score }) => isFull || score >= minPassageScore);
    yield;
    const words = isBest ? yield* search.words(translations, query) : null;
    return { translations, args, named, text, parse, query, books, passages, words };
  }

  /** Corrects a misspelt book name (`psalsm 23`). Returns null unless exactly one correction gives a reference. */
  function* correctBookName(
    translations: SearchedTranslations,
    args: SearchArguments,
  ): Generator<void, PreparedSearch | null> {
    if (!mayNameChapter(args.query, translations[0].language)) return null;
    const index = yield* search.indexOf(translations[0]);
    const queries = yield* index.withBookNames(args.query);
    const references: PreparedSearch[] = [];
    for (const query of queries) {
      const corrected = yield* prepare(translations, { ...args, query }, 'WORDS', parseQuery);
      if (corrected.named && corrected.text === '') references.push(corrected);
    }
    return references.length === 1 ? (references[0] ?? null) : null;
  }

  return { findReference, prepare, correctBookName };
}

/** Returns all arguments that affect the result, so that cursors of other searches are rejected. */
const keyOf = ({ translations, args, named, books, query }: PreparedSearch, mode: SearchMode): string =>
  [
    mode,
    translations.map(({ identifier }) => identifier).join(','),
    args.order ?? 'RELEVANCE',
    String(args.prefix ?? false),
    args.testament ?? '',
    [...(books ?? [])].sort().join(','),
    named?.reference ?? '',
    canonicalQuery(query),
  ].join('\n');

/** If no verse has the query's digits, its numbers are searched in words, as translations write them. */
function* findTypedOrSpelled(
  search: CrossTranslationSearch,
  translations: SearchedTranslations,
  request: FullTextRequest,
  text: string,
): Generator<void, FoundPage> {
  const typed = yield* search.page(translations, request);
  if (!typed.lacksFullHits || request.query.operators) return typed;
  for (const spelled of withNumberWords(text, translations[0].language)) {
    const other = yield* search.page(translations, { ...request, words: null, query: parseQuery(spelled) });
    if (!other.lacksFullHits) return other;
  }
  return typed;
}

/** Validates and limits the arguments of clients. Generators yield between short steps. */
export function createFullTextSearch(store: SearchStore, search: CrossTranslationSearch) {
  const { findReference, prepare, correctBookName } = createQueryReader(store, search);

  function* searchPage(
    prepared: PreparedSearch,
    options: Meaning & Understood & { first: number; corrects: boolean },
  ): Generator<void, SearchPage> {
    const { translations, args, named, text, parse, query, books, passages, words } = prepared;
    const { first, mode, nearest, understanding, guidance, corrects } = options;
    const [translation] = translations;
    // Most requests need no key.
    let key: string | undefined;
    const searchKey = (): string => (key ??= keyOf(prepared, mode));
    const after = args.after ? parseCursor(args.after, searchKey()) : null;
    if (args.after && !after) throw errors.invalidCursor();

    const request: FullTextRequest = {
      query,
      passages,
      named: named?.ordinals ?? [],
      mode,
      nearest,
      words,
      guidance,
      books,
      testament: args.testament ? testamentCodes[args.testament] : null,
      order: args.order ?? 'RELEVANCE',
      first,
      after,
    };
    const typedOrSpelled = yield* findTypedOrSpelled(search, translations, request, text);
    const { lacksFullHits } = typedOrSpelled;
    const renamed = corrects && lacksFullHits ? yield* correctBookName(translations, args) : null;
    function* suggestion(): Generator<void, string | null> {
      if (renamed) return renamed.args.query;
      for (const each of lacksFullHits ? translations : []) {
        const index = yield* search.indexOf(each);
        const suggested = yield* index.suggestion(args.query);
        if (suggested !== null) return suggested;
      }
      return null;
    }
    const correctedQuery = renamed || (corrects && typedOrSpelled.total === 0) ? yield* suggestion() : null;
    const page =
      correctedQuery === null
        ? typedOrSpelled
        : yield* search.page(translations, {
            ...request,
            words: null,
            query: renamed?.query ?? parse(correctedQuery),
            named: renamed?.named?.ordinals ?? request.named,
          });
    return {
      // Not `...page`: see the hits in verse-search.ts.
      total: page.total,
      byBook: page.byBook,
      hits: page.hits,
      hasNextPage: page.hasNextPage,
      hasPreviousPage: page.hasPreviousPage,
      leftOut: page.leftOut,
      correctedQuery,
      translation,
      mode,
      understanding,
      passage: passages.find(({ isFull }) => isFull)?.name ?? null,
      reference: (renamed ?? { named }).named?.reference ?? null,
      cursorOf: (hit: Hit): string => formatCursor(hit, searchKey()),
      suggestion,
    };
  }

  return {
    prepareBest: search.prepareBest,
    isQuoted: search.isQuoted,

    /** Returns the verses that a reference names. Null if the translation has none of them. */
    reference: findReference,

    /** Returns the first hits: 25 by default, at most 100, and none if the limit is 0 or less. */
    *firstHits(
      translation: IndexedTranslation,
      query: string,
      { limit, order }: { limit: number | null; order: SearchOrder | null },
    ) {
      const first = clamp(limit ?? defaultFirst, 0, maxFirst);
      const prepared = yield* prepare([translation], { query, order, prefix: true }, 'WORDS', parseQuery);
      return yield* searchPage(prepared, { first, mode: 'WORDS', nearest: [], corrects: false, ...nothingUnderstood });
    },

    /** Prepares a search for `page`. Only its queries have operators. */
    prepare: (translations: SearchedTranslations, args: SearchArguments, mode: SearchMode) =>
      prepare(translations, args, mode, (...text) => parseOperators(...text).query),

    /** Returns one page. It has at least one hit, even if `first` is 0, so that a client with cursors advances. */
    page: (prepared: PreparedSearch, { first, ...meaning }: Meaning & Understood & { first: number | null }) =>
      searchPage(prepared, { first: clamp(first ?? defaultFirst, 1, maxFirst), corrects: true, ...meaning }),
  };
}

export type FullTextSearch = ReturnType<typeof createFullTextSearch>;
