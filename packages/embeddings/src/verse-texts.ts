import { createHash } from 'node:crypto';
import { type BookCode, fromStandard, type Place, standardVerses, verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';

/** The translation whose text contributes to each verse's vector. The models know English best. */
export const secondTranslation = 'eng-web';

/** Returns the digest of the texts from which a translation's vectors and words are made. */
export const textsDigest = (digestOf: (identifier: string) => string | null | undefined, translation: string): string =>
  [translation, secondTranslation].map((identifier) => digestOf(identifier) ?? '').join('+');

export interface VerseText extends Place {
  ordinal: number;
  text: string;
  /** The text in the second translation. '' if it lacks the verse or is the first translation itself. */
  second: string;
}

/** Yields every verse with text, in canonical order, whatever the numbering of the second translation. */
export function* eachVerseText(
  corpus: Pick<Corpus, 'translation' | 'range'>,
  translation: string,
): IterableIterator<VerseText> {
  const first = corpus.translation(translation);
  if (!first) throw new Error(`the corpus has no translation ${translation}`);
  const second = translation === secondTranslation ? null : corpus.translation(secondTranslation);
  // One book at a time saves memory. Only deuterocanonical verses change books, and the second translation has none.
  for (const { code } of first.books) {
    const texts = new Map(
      second ? versesOfBook(corpus, secondTranslation, code).map((verse) => [verse.ordinal, verse.text]) : [],
    );
    for (const verse of versesOfBook(corpus, translation, code))
      yield { ...verse, second: second ? secondText(texts, verse, { from: first, to: second }) : '' };
  }
}

export function versesOfBook(corpus: Pick<Corpus, 'range'>, identifier: string, book: BookCode) {
  const first = verseOrdinal({ book, chapter: 0, verse: 0 });
  return corpus.range(identifier, first, first + 999_999).map((verse) => ({ ...verse, ordinal: verseOrdinal(verse) }));
}

/** Returns the text in `to` for a verse of `from`, which may combine several verses. */
function secondText(
  texts: ReadonlyMap<number, string>,
  place: Place,
  { from, to }: { from: Translation; to: Translation },
): string {
  const ordinals = standardVerses(from.numbering, place).flatMap((standard) => {
    const same = fromStandard(to.numbering, standard);
    return same ? [verseOrdinal(same)] : [];
  });
  return [...new Set(ordinals)].flatMap((ordinal) => texts.get(ordinal) || []).join(' ');
}

/** The version of the rules for vectors. Increase it when they change, so that files are built again. */
export const embeddingRecipe = 1;

/** The length of a hash in bytes. With 128 bits, two texts with the same hash are practically impossible. */
export const hashLength = 16;

const weightOfOwnText = 0.55;
const weightOfSecondText = 0.45;
const weightOfNeighbor = 0.15;

/** Returns the indexes of the previous and the next verse, if they are in the same chapter. */
function neighborPositions(verses: readonly VerseText[], position: number): number[] {
  const here = verses[position];
  return [position - 1, position + 1].filter((neighbor) => {
    const there = verses[neighbor];
    return there !== undefined && there.book === here?.book && there.chapter === here.chapter;
  });
}

export function hashInputs(verses: readonly VerseText[], position: number): Buffer {
  const texts = [position, ...neighborPositions(verses, position)].map((at) => [
    at - position,
    verses[at]?.text,
    verses[at]?.second,
  ]);
  return createHash('sha256').update(JSON.stringify(texts)).digest().subarray(0, hashLength);
}

/** Returns the distinct texts, sorted by length, because texts of similar length are embedded together. */
export function textsForVectors(verses: readonly VerseText[], positions: readonly number[]): string[] {
  const texts = positions
    .flatMap((position) => [position, ...neighborPositions(verses, position)])
    .flatMap((at) => [verses[at]?.text ?? '', verses[at]?.second ?? '']);
  return [...new Set(texts)].filter((text) => text !== '').sort((a, b) => a.length - b.length);
}

/** Returns the weighted mean of a verse's texts, plus a part of its neighbors', as a vector of length 1. */
export function verseVector(
  verses: readonly VerseText[],
  position: number,
  vectorOfText: (text: string) => Float32Array,
): Float64Array {
  const vector = meanOfTexts(verses[position], vectorOfText);
  for (const neighbor of neighborPositions(verses, position))
    add(vector, meanOfTexts(verses[neighbor], vectorOfText), weightOfNeighbor);
  return normalize(vector);
}

function meanOfTexts(verse: VerseText | undefined, vectorOfText: (text: string) => Float32Array): Float64Array {
  if (!verse) throw new Error('there is no verse at this position');
  const own = vectorOfText(verse.text);
  const mean = new Float64Array(own.length);
  add(mean, own, weightOfOwnText);
  if (verse.second !== '') add(mean, vectorOfText(verse.second), weightOfSecondText);
  return normalize(mean);
}

function add(sum: Float64Array, vector: ArrayLike<number>, weight: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + weight * (vector[at] ?? 0);
}

function normalize(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
