import {
  fromStandard,
  ordinalParts,
  parseVerseId,
  type Saying,
  translationId,
  verseId,
  verseOrdinal,
} from '@lectern/canon';
import { errors } from '@lectern/errors';
import { topicId } from '@lectern/reference-works';
import type { RequestContext } from './context';
import type { FoundHit, FoundVerse } from './full-text/merge-hits';
import { parseOperators } from './full-text/operators';
import type { Hit, SearchOrder } from './full-text/page';
import { maxRankedVerses } from './full-text/rank';
import {
  clamp,
  type FullTextSearch,
  type Meaning,
  type PreparedSearch,
  type SearchArguments,
  type SearchedTranslations,
  type SearchPage,
  validateQuery,
} from './full-text/search';
import type { SearchMode } from './full-text/verse-search';
import type { Needs } from './needs';
import { createCheckQuotation, type QuotationCheck } from './quotation/check';
import type { TopicMatch } from './semantic/phrases-file';
import { createSemanticHints, hintOfSearch, type SemanticSearch } from './semantic/search';
import type { IndexedTranslation, SearchStore, Verse } from './store';
import { careHint, guide, nearestTo, type Understanding, understand } from './understanding';

/** The argument `translation`. Null stands for the default translation. */
type WithTranslation<Args = object> = Args & { translation: string | null };

const defaultTranslation = 'eng-web';
const maxTranslations = 10;
/** More verses than any translation has. With this limit, a search by meaning ranks all verses. */
const maxFilteredVerses = 50_000;
const defaultSemanticTranslation = 'spa-rv1909';

type SearchVersesArguments = WithTranslation<SearchArguments> & {
  translations?: readonly string[] | null;
  mode?: SearchMode | null;
  first: number | null;
};

interface Edge {
  hit: FoundHit;
  node: Verse;
  page: SearchPage;
}

/** `VerseSearchPage.understood`: what a query was understood to be. */
interface Understood extends Understanding {
  kind: 'REFERENCE' | 'SAYING' | 'DISTRESS' | 'OCCASION' | 'NAMED_PASSAGE';
  page: SearchPage;
}

/** A saying that was searched in a translation. */
interface SearchedSaying extends Saying {
  translation: IndexedTranslation;
}

const maxNearest = 10;

export function createResolvers(
  store: SearchStore,
  fullTextSearch: FullTextSearch,
  semanticSearch: SemanticSearch,
  needs: Needs,
) {
  const semanticHints = createSemanticHints(semanticSearch);
  const searchVerses = createSearchVerses(fullTextSearch, semanticSearch, needs);
  const checkQuotation = createCheckQuotation(store, fullTextSearch);
  const translationOf = ({ translation }: WithTranslation) => store.translation(translation ?? defaultTranslation);

  function translationsOf({ translations, translation }: SearchVersesArguments): SearchedTranslations {
    if (translations && translations.length > maxTranslations)
      throw errors.badUserInput(`translations must have ${maxTranslations} identifiers or fewer`);
    const [first, ...others] = [...new Set(translations ?? [])].map((identifier) => store.translation(identifier));
    return first ? [first, ...others] : [translationOf({ translation })];
  }

  return {
    Query: {
      async search(
        _: unknown,
        args: WithTranslation<{ query: string; limit: number | null; order: SearchOrder | null }>,
        context: RequestContext,
      ) {
        const page = await context.work.runInSteps(fullTextSearch.firstHits(translationOf(args), args.query, args));
        return firstVersesOf(page, context);
      },
      searchVerses: (_: unknown, args: SearchVersesArguments, context: RequestContext) =>
        searchVerses(translationsOf(args), args, context),
      async semanticSearch(
        _: unknown,
        { query, limit, translation: identifier }: WithTranslation<{ query: string; limit: number | null }>,
        context: RequestContext,
      ) {
        const translation = store.translation(identifier ?? defaultSemanticTranslation);
        const { onEmbeddingCall, work } = context;
        const { ranked, need } = await context.byMeaning(() =>
          semanticSearch.search(translation, { query, limit, onEmbeddingCall, work }),
        );
        context.addHint(semanticHints.withoutVectors('Query.semanticSearch', [translation]));
        context.addHint(careHint('Query.semanticSearch', { need }));
        return context.rankedVerses(translation, ranked, need);
      },
      checkQuotation: (
        _: unknown,
        { text, reference, ...args }: WithTranslation<{ text: string; reference: string | null }>,
        context: RequestContext,
      ) => checkQuotation({ text, reference: reference ?? null, translation: translationOf(args) }, context),
      semanticTopics: (
        _: unknown,
        { query, limit }: { query: string; limit: number | null },
        { onEmbeddingCall, byMeaning, work }: RequestContext,
      ) => byMeaning(() => semanticSearch.topics({ query, limit, onEmbeddingCall, work })),
    },
    Translation: {
      __resolveReference: ({ identifier }: { identifier: string }) =>
        store.findTranslation(identifier) && { identifier },
      id: ({ identifier }: { identifier: string }) => translationId(identifier),
      hasEmbeddings: ({ identifier }: { identifier: string }) => semanticSearch.hasEmbeddings(identifier),
    },
    ...resultResolvers,
    SearchFacets: {
      byBook: ({ translation, byBook }: SearchPage) =>
        byBook.map(({ book, count }) => ({
          bookId: book.code,
          bookName: store.bookName(translation, book.code),
          count,
        })),
      byTestament: ({ byBook }: SearchPage) => ({ old: countIn(byBook, 'OT'), new: countIn(byBook, 'NT') }),
    },
    Verse: {
      async __resolveReference({ id }: { id: string }, context: RequestContext) {
        const parts = parseVerseId(id);
        const translation = parts && store.findTranslation(parts.translation);
        if (!translation) return null;
        const [verse] = await context.verses(translation, [verseOrdinal(parts)]);
        return verse ?? null;
      },
      id: ({ translation, book, chapter, verse }: Verse) =>
        verseId({ translation: translation.identifier, book, chapter, verse }),
      bookId: (verse: Verse) => verse.book,
      bookName: (verse: Verse) => store.bookName(verse.translation, verse.book),
      text(verse: Verse, _: unknown, { work }: RequestContext) {
        work.verses.add(verse.translation.identifier);
        return verse.text;
      },
      similar: (verse: Verse, { limit }: { limit: number | null }, context: RequestContext) => {
        context.addHint(semanticHints.withoutVectors('Verse.similar', [verse.translation]));
        return context.similar(verse, limit);
      },
      reference: (verse: Verse) => `${store.bookName(verse.translation, verse.book)} ${verse.chapter}:${verse.verse}`,
    },
  };
}

/** Creates `Query.searchVerses`, which searches by words, by meaning or by both. */
function createSearchVerses(fullTextSearch: FullTextSearch, semanticSearch: SemanticSearch, needs: Needs) {
  const semanticHints = createSemanticHints(semanticSearch);

  /** With filters, ranks all verses, so that enough pass. BEST and HYBRID become WORDS if the query is not embedded. */
  async function findNearest(
    translations: SearchedTranslations,
    { query, mode, books, testament }: SearchVersesArguments,
    { onEmbeddingCall, addHint, byMeaning, work }: RequestContext,
    meanwhile: () => Promise<unknown>,
  ): Promise<Meaning> {
    const words: Meaning = { mode: 'WORDS', nearest: [] };
    if (!mode || mode === 'WORDS') return words;
    // Points, accents and punctuation alone have no meaning, but the model would return a vector for them.
    if (!/[\p{L}\p{N}\p{S}]/u.test(query)) return { mode, nearest: [] };
    if (!semanticSearch.isEnabled) addHint(semanticHints.disabled);
    const limit = (books ?? '').trim() || testament ? maxFilteredVerses : maxRankedVerses;
    try {
      const nearest = await byMeaning(() =>
        semanticSearch.nearest(translations, { query, onEmbeddingCall, work, meanwhile }, limit),
      );
      return mode === 'MEANING' || semanticSearch.isEnabled ? { mode, nearest } : words;
    } catch (error) {
      if (mode === 'MEANING' || !isEmbeddingUnavailable(error)) throw error;
      addHint(semanticHints.onlyWords);
      return words;
    }
  }

  /**
   * Asks the model only if the words may show distress and no verse contains them in order: it takes longer than a
   * search by words. If the model is unavailable, only clear words count.
   */
  async function understandWords(
    translations: SearchedTranslations,
    query: string,
    { onEmbeddingCall, byMeaning, work }: RequestContext,
  ): Promise<Understanding> {
    const understanding = understand(query, needs, null);
    if (understanding.saying || understanding.need || !needs.mayShowDistress(query)) return understanding;
    await fullTextSearch.prepareBest(translations);
    if (await work.runInSteps(fullTextSearch.isQuoted(translations, query))) return understanding;
    try {
      const need = await byMeaning(() => semanticSearch.need({ query, onEmbeddingCall, work }));
      // Verses for an occasion of joy come first only in a search by meaning.
      return need?.harmless ? { ...understanding, need } : understanding;
    } catch (error) {
      if (!isEmbeddingUnavailable(error)) throw error;
      return understanding;
    }
  }

  return async (translations: SearchedTranslations, sent: SearchVersesArguments, context: RequestContext) => {
    validateQuery(sent.query);
    const { query, hints } = parseOperators(sent.query);
    for (const hint of hints) context.addHint(hintOfSearch(hint));
    // Operators are about words, so a search with operators never uses meaning.
    const args = query.operators ? { ...sent, mode: 'WORDS' as const } : sent;
    const prepare = async (mode: SearchMode): Promise<PreparedSearch> => {
      if (mode === 'BEST' || mode === 'HYBRID') await fullTextSearch.prepareBest(translations);
      return context.work.runInSteps(fullTextSearch.prepare(translations, args, mode));
    };
    let preparing: Promise<PreparedSearch> | undefined;
    const prepareOnce = (mode: SearchMode): Promise<PreparedSearch> => {
      preparing ??= prepare(mode);
      // It may reject before a caller awaits it.
      preparing.catch(() => undefined);
      return preparing;
    };
    const meaning = await findNearest(translations, args, context, () => prepareOnce(args.mode ?? 'WORDS'));
    const search = await prepareOnce(meaning.mode);
    const recognized = meaning.nearest.find(({ need }) => need)?.need ?? null;
    const isByWords = !query.operators && (sent.mode ?? 'WORDS') === 'WORDS';
    const understanding = isByWords
      ? await understandWords(translations, args.query, context)
      : understand(args.query, needs, recognized);
    const { saying } = understanding;
    if (saying && saying.status !== 'IN_BIBLE')
      context.addHint(hintOfSearch(`${saying.note} Nearest verses: ${saying.references}.`));
    context.addHint(careHint('Query.searchVerses', understanding));
    const guidance = guide(
      understanding,
      args.mode ?? 'WORDS',
      search.passages.some(({ isFull }) => isFull),
    );
    return context.work.runInSteps(
      fullTextSearch.page(search, { ...meaning, understanding, guidance, first: args.first }),
    );
  };
}

const isEmbeddingUnavailable = (error: unknown): boolean =>
  error instanceof Error && error.message === errors.embeddingUnavailable().message;

/** The resolvers of results, which hold all that their fields need. */
const resultResolvers = {
  TopicMatch: {
    topic: ({ topic }: TopicMatch) => ({ id: topicId(topic) }),
  },
  QuotationCheck: {
    translation: ({ translation: { identifier } }: QuotationCheck) => ({ identifier }),
    differences: ({ words }: QuotationCheck) => words?.differences ?? [],
    before: ({ words }: QuotationCheck) => words?.before ?? '',
    after: ({ words }: QuotationCheck) => words?.after ?? '',
    saying: ({ saying, translation }: QuotationCheck): SearchedSaying | null => saying && { ...saying, translation },
  },
  VerseSearchPage: {
    totalCount: (page: SearchPage) => page.total,
    async edges(page: SearchPage, _: unknown, context: RequestContext): Promise<Edge[]> {
      const verses = withNeed(await firstVersesOf(page, context), page.understanding);
      return verses.flatMap((node, index) => {
        const hit = page.hits[index];
        return hit ? { hit, node, page } : [];
      });
    },
    relaxed: (page: SearchPage) => page.leftOut,
    facets: (page: SearchPage) => page,
    understood(page: SearchPage): Understood | null {
      const { saying, need } = page.understanding;
      const byWords = page.reference ? 'REFERENCE' : page.passage ? 'NAMED_PASSAGE' : null;
      const kind = saying ? 'SAYING' : (need?.group ?? byWords);
      return kind && { kind, saying, need, page };
    },
    suggestion: (page: SearchPage, _: unknown, context: RequestContext) => context.suggestion(page),
    pageInfo(page: SearchPage) {
      const { hits, hasNextPage, hasPreviousPage } = page;
      const cursorOf = (hit: Hit | undefined) => (hit ? page.cursorOf(hit) : null);
      return { hasNextPage, hasPreviousPage, startCursor: cursorOf(hits.at(0)), endCursor: cursorOf(hits.at(-1)) };
    },
  },
  VerseSearchEdge: {
    similarity: ({ hit }: Edge) => hit.similarity,
    relevance: ({ hit }: Edge) => hit.relevance,
    matchedBy: ({ hit }: Edge) => hit.matchedBy,
    cursor: ({ hit, page }: Edge) => page.cursorOf(hit),
    alsoIn: async ({ hit, page }: Edge, _: unknown, context: RequestContext) =>
      withNeed(await loadVerses(hit.verses.slice(1), context), page.understanding),
    // A hit's matches take 0.1 ms, and a request may select thousands. `work.run` lets other requests run meanwhile.
    matches: ({ node, hit }: Edge, _: unknown, { work }: RequestContext) =>
      work.run(() => hit.verses[0]?.matchedSpans(node.text) ?? []),
  },
  QueryUnderstanding: {
    saying: ({ saying, page }: Understood): SearchedSaying | null =>
      saying && { ...saying, translation: page.translation },
    need: ({ need }: Understood) => need?.id ?? null,
    reference: ({ page }: Understood) => page.reference,
  },
  Saying: {
    async nearest(
      { translation, ...saying }: SearchedSaying,
      { first }: { first: number | null },
      context: RequestContext,
    ) {
      const ordinals = nearestTo(saying).slice(0, clamp(first ?? 5, 0, maxNearest));
      const own = ordinals.flatMap((ordinal) => {
        const standard = ordinalParts(ordinal);
        const place = standard && fromStandard(translation.numbering, standard);
        return place ? [verseOrdinal(place)] : [];
      });
      const verses = await context.verses(translation, own);
      return verses.filter((verse) => verse !== null);
    },
  },
};

/** Adds the need of the person who asks, so that `Verse.similar` leaves out what wounds. */
const withNeed = (verses: Verse[], { need }: Pick<Understanding, 'need'>): Verse[] =>
  need?.harmless ? verses.map((verse) => ({ ...verse, need })) : verses;

/** Loads the verse of each hit, from the first translation in which it was found. */
const firstVersesOf = ({ hits }: SearchPage, context: RequestContext): Promise<Verse[]> =>
  loadVerses(
    hits.flatMap(({ verses: [first] }) => first ?? []),
    context,
  );

/** Loads verses in the order of `found`, with one SQL statement for each translation. */
async function loadVerses(found: readonly FoundVerse[], context: RequestContext): Promise<Verse[]> {
  const ordinalsBy = new Map<FoundVerse['translation'], number[]>();
  for (const { translation, ordinal } of found) {
    const ordinals = ordinalsBy.get(translation);
    if (ordinals) ordinals.push(ordinal);
    else ordinalsBy.set(translation, [ordinal]);
  }
  const loaded = await Promise.all(
    Array.from(ordinalsBy, ([translation, ordinals]) => context.indexedVerses(translation, ordinals)),
  );
  if (loaded.length === 1) return loaded[0] ?? [];
  const byTranslation = new Map(
    [...ordinalsBy.keys()].map((translation, index) => [translation, loaded[index]?.values()]),
  );
  return found.flatMap(({ translation }) => byTranslation.get(translation)?.next().value ?? []);
}

const countIn = (byBook: SearchPage['byBook'], testament: string): number =>
  byBook.reduce((sum, { book, count }) => (book.testament === testament ? sum + count : sum), 0);
