import { createHash } from 'node:crypto';
import type { VerseText } from './verse-texts';

/** Grows with every change to how a vector is made from texts. */
export const embeddingRecipe = 1;

/** Bytes of a hash: enough that no two of all verses ever written share one. */
export const hashLength = 16;

const shareOfOwnText = 0.55;
const shareOfSecondText = 0.45;
const shareOfNeighbour = 0.15;

/** The verses before and after in the same chapter, as positions in the list; a chapter's ends have one. */
export function neighbours(verses: readonly VerseText[], position: number): number[] {
  const here = verses[position];
  return [position - 1, position + 1].filter((other) => {
    const there = verses[other];
    return there !== undefined && there.book === here?.book && there.chapter === here.chapter;
  });
}

/** Of every text that a verse's vector is made from. A vector whose verse still has this hash is still true. */
export function inputsHash(verses: readonly VerseText[], position: number): Buffer {
  const texts = [position, ...neighbours(verses, position)].map((at) => [
    at - position,
    verses[at]?.text,
    verses[at]?.second,
  ]);
  return createHash('sha256').update(JSON.stringify(texts)).digest().subarray(0, hashLength);
}

/**
 * A verse's vector: the unit mean of its own text and of the second edition's, to which each neighbour in the chapter adds
 * some of its own, for a sentence seldom ends where a verse does.
 * @param passage the vector of a text that was embedded
 */
export function verseVector(
  verses: readonly VerseText[],
  position: number,
  passage: (text: string) => Float32Array,
): Float64Array {
  const vector = meanOfTexts(verses[position], passage);
  for (const other of neighbours(verses, position)) add(vector, meanOfTexts(verses[other], passage), shareOfNeighbour);
  return unit(vector);
}

function meanOfTexts(verse: VerseText | undefined, passage: (text: string) => Float32Array): Float64Array {
  if (!verse) throw new Error('there is no verse at that position');
  const own = passage(verse.text);
  const mean = new Float64Array(own.length);
  add(mean, own, shareOfOwnText);
  if (verse.second !== '') add(mean, passage(verse.second), shareOfSecondText);
  return unit(mean);
}

function add(sum: Float64Array, vector: ArrayLike<number>, share: number): void {
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + share * (vector[at] ?? 0);
}

function unit(vector: Float64Array): Float64Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
