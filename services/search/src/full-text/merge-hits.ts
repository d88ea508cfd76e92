import { indexOfSorted, type Numbering, ordinalParts, toStandard, verseOrdinal } from '@lectern/canon';
import type { IndexedTranslation } from '../store';
import type { FullTextResult, TextSpan } from './find-verses';
import type { Hit } from './page';
import type { TranslationIndex } from './translation-index';

/** Added to the keys of chapters that only some translations have (additions to Esther). No book has such keys. */
const keyOfAddition = 500_000;

/** A key is a verse's ordinal in the standard numbering, or the first of several. `ordinals` are the translation's. */
export function createVerseKeys(ordinals: Uint32Array, numbering: Numbering) {
  /** The keys of the few verses whose key is not their ordinal. */
  const keys = new Map<number, number>();
  const verses = new Map<number, number[]>();
  for (const ordinal of numbering === 'standard' ? [] : ordinals) {
    const place = ordinalParts(ordinal);
    const standard = place && toStandard(numbering, place);
    const key = standard ? verseOrdinal(standard) : ordinal + keyOfAddition;
    if (key === ordinal) continue;
    keys.set(ordinal, key);
    verses.set(key, [...(verses.get(key) ?? []), ordinal]);
  }

  return {
    keyOf: (ordinal: number): number => keys.get(ordinal) ?? ordinal,

    /** Returns the ordinals of a key, several if the translation splits the verse. The translation may lack them. */
    ordinalsOf: (key: number): readonly number[] => [...(keys.has(key) ? [] : [key]), ...(verses.get(key) ?? [])],
  };
}

export type VerseKeys = ReturnType<typeof createVerseKeys>;

/** The keys for a search in one translation, where the key of a verse is its ordinal. */
export const ownKeys: VerseKeys = { keyOf: (ordinal) => ordinal, ordinalsOf: (key) => [key] };

export interface FoundVerse {
  translation: IndexedTranslation;
  ordinal: number;
  matchedSpans(text: string): TextSpan[];
}

export type MatchReason = 'WORDS' | 'MEANING' | 'TOPIC' | 'NAMED_PASSAGE' | 'REFERENCE' | 'CARE' | 'UNDERSTOOD';

export interface FoundHit extends Hit {
  /** The verse in each translation in which it was found, at least one, in the requested order. */
  verses: FoundVerse[];
  /** The similarity of the first of `verses` to the query. Null if the verse was not found by its meaning. */
  similarity: number | null;
  /** How much the verse stands out, from 0 to 1. Null in the mode WORDS. */
  relevance: number | null;
  /** The strongest reason first. */
  matchedBy: MatchReason[];
}

export interface Searched {
  translation: IndexedTranslation;
  index: TranslationIndex;
  keys: VerseKeys;
}

export interface Found extends Searched {
  result: FullTextResult;
}

/** The number of hits that are collected between two yields. They take less than a millisecond. */
export const hitsPerStep = 2_048;

/** The hits of all translations, each verse once. */
export interface MergedHits {
  readonly keys: ArrayLike<number>;
  readonly scores: ArrayLike<number>;
}

/** A verse counts with its best score. `leading` has the scores of the verses that come first. */
export function* mergeHits(found: readonly Found[], leading: ReadonlyMap<number, number>): Generator<void, MergedHits> {
  const [only, ...others] = found;
  if (only && others.length === 0 && leading.size === 0) return hitsOfOne(only);
  const merged: { keys: number[]; scores: number[] } = { keys: [...leading.keys()], scores: [...leading.values()] };
  /** The index of each key in `merged`. Null for a single translation, where each key occurs once. */
  const indexes = found.length > 1 ? new Map<number, number>() : null;
  for (const { keys, index, result } of found) {
    for (const [at, verse] of result.hits.verses.entries()) {
      if (at % hitsPerStep === 0) yield;
      const key = keys.keyOf(index.ordinals[verse] ?? 0);
      const score = result.hits.scores[at] ?? 0;
      const earlier = indexes?.get(key);
      if (earlier !== undefined) merged.scores[earlier] = Math.max(merged.scores[earlier] ?? 0, score);
      else if (!leading.has(key)) {
        indexes?.set(key, merged.keys.length);
        merged.keys.push(key);
        merged.scores.push(score);
      }
    }
  }
  return merged;
}

function hitsOfOne({ index: { ordinals }, result: { hits } }: Found): MergedHits {
  const keys = new Uint32Array(hits.verses.length);
  // A loop is faster than map() for the up to 31,000 verses of a search.
  for (let at = 0; at < keys.length; at += 1) keys[at] = ordinals[hits.verses[at] ?? 0] ?? 0;
  return { keys, scores: hits.scores };
}

/** Returns the verse of a key from each translation in which it matched or, if `isNamed`, exists. */
export function versesOfKey(key: number, found: readonly Found[], isNamed: boolean) {
  const [only, ...others] = found;
  // A search by words in a single translation need not look up the verse.
  if (only && others.length === 0 && !only.result.similarityOf) {
    const { translation, result } = only;
    return { verses: [{ translation, ordinal: key, matchedSpans: result.matchedSpans }], similarity: null };
  }
  const matched = found.flatMap(({ translation, index, keys, result }) => {
    for (const ordinal of keys.ordinalsOf(key)) {
      const verse = indexOfSorted(index.ordinals, ordinal);
      if (verse < 0 || !(isNamed || indexOfSorted(result.hits.verses, verse) >= 0)) continue;
      const similarity = result.similarityOf?.(verse) ?? null;
      return [{ similarity, verse: { translation, ordinal, matchedSpans: result.matchedSpans } }];
    }
    return [];
  });
  return { verses: matched.map(({ verse }) => verse), similarity: matched[0]?.similarity ?? null };
}
