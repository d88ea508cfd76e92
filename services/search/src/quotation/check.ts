import { findSaying, type Saying, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { RequestContext } from '../context';
import type { FullTextSearch } from '../full-text/search';
import { wordSources } from '../full-text/verse-search';
import type { IndexedTranslation, SearchStore, Verse } from '../store';
import { findWords, type WordMatch } from './find-words';

/** The minimum share of equal words. With less, the words are not found. */
const minSimilarity = 0.55;
/** The minimum share of equal words in another translation, if the requested one does not have the words exactly. */
const minOtherSimilarity = 0.9;
/** The minimum number of equal words, unless all words are equal. One or two equal words may be chance. */
const minCommonWords = 3;
const maxTextLength = 2_000;
const maxReferenceLength = 200;
const maxGivenVerses = 60;
/** The number of verses that are compared from each place that a search finds. A longer quotation ends there. */
const versesOfPlace = 40;
/** At least so many verses of a place are compared, and one more for each 40 characters of the text. */
const minVersesOfPlace = 6;
/** A search finds the verse with most words of the beginning, which may be the second or third of the quotation. */
const versesBefore = 3;
const charactersOfVerse = 40;
const maxPlaces = 5;
/** The maximum length of a search's query. */
const maxQueryLength = 200;

type Verdict = 'EXACT' | 'ALTERED' | 'OTHER_TRANSLATION' | 'OTHER_PLACE' | 'SAYING_NOT_IN_BIBLE' | 'NOT_FOUND';

export interface QuotationCheck {
  verdict: Verdict;
  /** The verses that have the words. Empty if no verse has them. */
  verses: readonly Verse[];
  words: WordMatch | null;
  saying: Saying | null;
  translation: IndexedTranslation;
}

interface Match {
  readonly verses: readonly Verse[];
  readonly words: WordMatch;
}

interface CheckArguments {
  text: string;
  reference: string | null;
  translation: IndexedTranslation;
}

/** Creates the function that finds out whether words are quoted rightly. */
export function createCheckQuotation(store: SearchStore, search: FullTextSearch) {
  /** Returns at most `length` verses of a chapter, from one on. */
  const versesFrom = async (
    translation: IndexedTranslation,
    { first, length }: { first: number; length: number },
    context: RequestContext,
  ) => {
    const ordinals = Array.from({ length }, (_, at) => first + at);
    return (await context.verses(translation, ordinals)).filter((verse) => verse !== null);
  };

  /** Returns the place in a translation that is most similar to the text. Null if none is similar enough. */
  async function findIn(
    translation: IndexedTranslation,
    { text, given }: { text: string; given: readonly Verse[] },
    context: RequestContext,
  ): Promise<Match | null> {
    const limit = { limit: maxPlaces, order: null };
    const page = await context.work.runInSteps(search.firstHits(translation, queryOf(text), limit));
    const length = Math.min(versesOfPlace, minVersesOfPlace + Math.ceil(text.length / charactersOfVerse));
    const places = [given];
    for (const { ordinal } of page.hits)
      places.push(await versesFrom(translation, { first: ordinal - versesBefore, length }, context));
    let best: Match | null = null;
    for (const verses of places) {
      const texts = verses.map((verse) => verse.text);
      const words = await context.work.runInSteps(findWords(texts, text));
      // Of equally similar places, the given one counts, because it is the first.
      if (words && words.similarity > (best?.words.similarity ?? 0))
        best = { verses: verses.slice(words.first, words.last + 1), words };
    }
    if (!best) return null;
    const { similarity, commonWords } = best.words;
    return similarity === 1 || (similarity >= minSimilarity && commonWords >= minCommonWords) ? best : null;
  }

  async function versesOfReference(
    reference: string | null,
    translation: IndexedTranslation,
    context: RequestContext,
  ): Promise<Verse[]> {
    if (reference === null) return [];
    if (reference.length > maxReferenceLength) throw errors.tooLong('reference', maxReferenceLength);
    const found = await context.work.runInSteps(search.reference(translation, reference));
    if (!found) throw errors.badUserInput('reference names no verse of the translation: send one such as John 3:16');
    return context.indexedVerses(translation, found.ordinals.slice(0, maxGivenVerses));
  }

  return async function checkQuotation(
    { text, reference, translation }: CheckArguments,
    context: RequestContext,
  ): Promise<QuotationCheck> {
    if (text.length > maxTextLength) throw errors.tooLong('text', maxTextLength);
    if (text.trim() === '') throw errors.blank('text');
    const saying = findSaying(text);
    const given = await versesOfReference(reference, translation, context);
    const match = await findIn(translation, { text, given }, context);
    const result = (verdict: Verdict, found: Match | null, of = translation): QuotationCheck => ({
      verdict,
      verses: found?.verses ?? [],
      words: found?.words ?? null,
      saying,
      translation: of,
    });
    const isExact = match?.words.differences.length === 0;
    const places = new Set(given.map(verseOrdinal));
    const isElsewhere = reference !== null && !match?.verses.every((verse) => places.has(verseOrdinal(verse)));
    if (match && isExact) return result(isElsewhere ? 'OTHER_PLACE' : 'EXACT', match);
    for (const other of store.otherTranslations(translation, wordSources)) {
      const found = await findIn(other, { text, given: [] }, context);
      const { similarity = 0 } = found?.words ?? {};
      if (similarity >= minOtherSimilarity && similarity > (match?.words.similarity ?? 0))
        return result('OTHER_TRANSLATION', found, other);
    }
    if (saying?.status === 'NOT_IN_BIBLE') return result('SAYING_NOT_IN_BIBLE', null);
    if (!match) return result('NOT_FOUND', null);
    return result(isElsewhere ? 'OTHER_PLACE' : 'ALTERED', match);
  };
}

/** Returns a search query with the beginning of the text, cut between words, and without quotation marks. */
function queryOf(text: string): string {
  const words = text.replaceAll(/["“”«»„]/g, ' ').trim();
  if (words.length <= maxQueryLength) return words === '' ? '?' : words;
  const end = words.lastIndexOf(' ', maxQueryLength);
  return words.slice(0, end > 0 ? end : maxQueryLength);
}
