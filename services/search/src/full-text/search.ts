import { findNamedPassages, type TestamentCode } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { IndexedTranslation, SearchStore } from '../store';
import { withNumberWords } from './number-words';
import { formatCursor, type Hit, parseCursor, type SearchOrder } from './page';
import { canonicalQuery, parseQuery, withBeginning } from './query';
import { findQueryReference, hasDigit } from './query-reference';
import type { CrossTranslationSearch, FullTextRequest } from './verse-search';

/** The arguments of a client. */
export interface SearchArguments {
  query: string;
  /** The books to search: codes or names, separated by commas. */
  books?: string | null;
  testament?: keyof typeof testamentCodes | null;
  /** Whether the last word also matches words that begin with it. */
  prefix?: boolean | null;
  order: SearchOrder | null;
  /** The cursor of the hit before the page. */
  after?: string | null;
}

const maxQueryLength = 200;

/** Throws `tooLong` or `blank`. Full-text and semantic search share these rules. */
export function validateQuery(query: string): void {
  if (query.length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
  if (query.trim() === '') throw errors.blank('query');
}

export const clamp = (count: number, min: number, max: number): number => Math.min(Math.max(count, min), max);

/** Names of passages that resemble a query less have hardly anything to do with it. */
const minPassageScore = 0.6;

const defaultFirst = 25;
const maxFirst = 100;

/** The different translations to search, at least one. */
export type SearchedTranslations = readonly [IndexedTranslation, ...IndexedTranslation[]];

const testamentCodes = { OLD: 'OT', NEW: 'NT' } as const satisfies Record<string, TestamentCode>;

/** The verses nearest to the query in meaning, and the mode with which they are found. */
export type Meaning = Pick<FullTextRequest, 'mode' | 'nearest'>;

/** Verses of comfort, in the standard numbering: see `FullTextRequest`. */
type Comfort = Pick<FullTextRequest, 'comfort'>;

/**
 * Full-text search with the arguments of a client: it validates the query and the cursor, clamps
 * counts and applies defaults. Its functions yield between short steps.
 */
export function createFullTextSearch(store: SearchStore, search: CrossTranslationSearch) {
  function* searchPage(
    [translation, ...others]: SearchedTranslations,
    args: SearchArguments,
    { first, mode, nearest, comfort, corrects }: Meaning & Comfort & { first: number; corrects: boolean },
  ) {
    validateQuery(args.query);
    const translations = [translation, ...others];
    const named = hasDigit(args.query)
      ? yield* findQueryReference(
          args.query,
          yield* search.shape(translation, (book) => store.bookName(translation, book)),
        )
      : null;
    const text = named?.rest ?? args.query;
    const typed = parseQuery(text);
    const query = (args.prefix ? withBeginning(typed) : null) ?? typed;
    const books = yield* store.books(translation, args.books);
    const order = args.order ?? 'RELEVANCE';
    // A text of all arguments that decide the result, so that a cursor is invalid in another
    // search. It is made when a cursor needs it: most requests select no cursors.
    let key: string | undefined;
    const searchKey = (): string => {
      key ??= [
        mode,
        translations.map(({ identifier }) => identifier).join(','),
        order,
        String(args.prefix ?? false),
        args.testament ?? '',
        [...(books ?? [])].sort().join(','),
        named?.reference ?? '',
        canonicalQuery(query),
      ].join('\n');
      return key;
    };
    const after = args.after ? parseCursor(args.after, searchKey()) : null;
    if (args.after && !after) throw errors.invalidCursor();

    const { language } = translation;
    const passages = mode === 'BEST' || mode === 'HYBRID' ? findNamedPassages(text, { language, limit: 3 }) : [];
    yield;
    const request: FullTextRequest = {
      query,
      passages: passages.filter(({ isFull, score }) => isFull || score >= minPassageScore),
      named: named?.ordinals ?? [],
      mode,
      nearest,
      comfort,
      books,
      testament: args.testament ? testamentCodes[args.testament] : null,
      order,
      first,
      after,
    };
    const asTyped = yield* search.page(translations, request);
    let typedOrSpelled = asTyped;
    // Translations write numbers in words.
    const spelled = asTyped.lacksFullHits ? withNumberWords(text, translation.language) : [];
    for (const each of spelled) {
      if (!typedOrSpelled.lacksFullHits) break;
      const other = yield* search.page(translations, { ...request, query: parseQuery(each) });
      if (!other.lacksFullHits) typedOrSpelled = other;
    }
    const { lacksFullHits, ...found } = typedOrSpelled;
    function* suggestion(): Generator<void, string | null> {
      for (const each of lacksFullHits ? translations : []) {
        const suggested = yield* search.suggestion(each, args.query);
        if (suggested !== null) return suggested;
      }
      return null;
    }
    const correctedQuery = corrects && found.total === 0 ? yield* suggestion() : null;
    const page =
      correctedQuery === null
        ? found
        : yield* search.page(translations, { ...request, query: parseQuery(correctedQuery) });
    return {
      ...page,
      /** The corrected query that was searched because nothing was found for the typed one, or null. */
      correctedQuery,
      /** The first translation that was searched. Book names are in its language. */
      translation,
      mode,
      /** The normalized references in the query, such as `John 3:16; Romans 8:28`, or null. */
      reference: named?.reference ?? null,
      /** Returns the cursor for the page after this hit. */
      cursorOf: (hit: Hit): string => formatCursor(hit, searchKey()),
      /** Returns a similar query that finds verses, if no verse contains all words, or null. */
      suggestion,
    };
  }

  return {
    prepareBest: search.prepareBest,

    /** Returns the first hits: 25 by default, 100 at most, and none for a limit of 0 or less. */
    firstHits: (
      translation: IndexedTranslation,
      query: string,
      { limit, order }: { limit: number | null; order: SearchOrder | null },
    ) =>
      searchPage(
        [translation],
        { query, order, prefix: true },
        { first: clamp(limit ?? defaultFirst, 0, maxFirst), mode: 'WORDS', nearest: [], comfort: [], corrects: false },
      ),

    /** `first` below 1 counts as 1, so that a client that follows the cursors always advances. */
    page: (
      translations: SearchedTranslations,
      args: SearchArguments & { first: number | null },
      meaning: Meaning & Comfort,
    ) =>
      searchPage(translations, args, {
        first: clamp(args.first ?? defaultFirst, 1, maxFirst),
        corrects: true,
        ...meaning,
      }),
  };
}

export type FullTextSearch = ReturnType<typeof createFullTextSearch>;

/** One page of the hits of a search. */
export type SearchPage = ReturnType<FullTextSearch['page']> extends Generator<void, infer Page> ? Page : never;
