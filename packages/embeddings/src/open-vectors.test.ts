import { verseOrdinal } from '@lectern/canon';
import { isLongRun, useStarted } from '@lectern/testing';
import { openRealCorpus } from '../test-support/open-or-build-real-corpus';
import { verifyVectors } from '../test-support/verify-vectors';
import { createBuiltInEmbedder, openVectors, type RowValues, shippedVectors } from './index';
import type { ScanQuery } from './vector-scan';
import { readVectors, type VerseVectors } from './vectors';
import { eachVerseText } from './verse-texts';

const translation = 'spa-rv1909';
const file = shippedVectors(translation) ?? '';
const embedder = createBuiltInEmbedder({ cores: 2, queueLength: 1000 });
const corpus = useStarted(openRealCorpus);
const vectors = useStarted(() => openVectors(file, { embedder: embedder.passageId, translation }));
let rows: VerseVectors;

beforeAll(async () => {
  rows = await readVectors(file);
});
afterAll(() => embedder.close());

interface Ranked {
  ordinal: number;
  similarity: number;
}

/** Returns the `limit` best verses. Equal similarities, of four decimals, are in canonical order. */
const rank = (scores: readonly (readonly [number, number])[], limit: number): Ranked[] =>
  scores
    .map(([ordinal, score]) => ({ ordinal, similarity: Math.round(Math.min(1, Math.max(0, score)) * 10_000) / 10_000 }))
    .sort((a, b) => b.similarity - a.similarity || a.ordinal - b.ordinal)
    .slice(0, limit);

/** Ranks the verses that `nearestRows` finds. */
async function rankNearest(query: ScanQuery): Promise<Ranked[]> {
  const { indices, cosines, bonuses } = await vectors.nearestRows(query);
  const scores = Array.from(
    indices,
    (row, at) => [vectors.ordinals[row] ?? 0, (cosines[at] ?? 0) + (bonuses[at] ?? 0)] as const,
  );
  return rank(scores, query.limit);
}

/** Ranks every verse by a direct comparison, without the quantized query of `nearestRows`. */
function rankAll(query: Float32Array, limit: number, bonus: RowValues | null): Ranked[] {
  const added = new Map(Array.from(bonus?.rows ?? [], (row, at) => [row, bonus?.values[at] ?? 0]));
  const { count, dimensions, ordinals } = rows;
  const scores = Array.from({ length: count }, (_, row) => {
    let [product, squares] = [0, 0];
    for (let at = 0; at < dimensions; at += 1) {
      const value = rows.rows[row * dimensions + at] ?? 0;
      product += (query[at] ?? 0) * value;
      squares += value * value;
    }
    return [ordinals[row] ?? 0, product / Math.sqrt(squares) + (added.get(row) ?? 0)] as const;
  });
  return rank(scores, limit);
}

test('the shipped vectors file has a vector for every verse with text, in canonical order', () => {
  expect(vectors.header.count).toBe(31_084);
  expect(Array.from(vectors.ordinals)).toEqual(
    Array.from(eachVerseText(corpus, translation), ({ ordinal }) => ordinal),
  );
});

/**
 * The number of verses that are computed again. Only `npm run test:long` computes 200, because that
 * takes longer.
 */
const sample = isLongRun ? 200 : 50;

test(`the shipped vectors are up to date, and ${sample} of them have a cosine of at least 0.995 with newly computed vectors`, async () => {
  const comparison = await verifyVectors({ corpus, translation, embedder, file, sample });
  expect(comparison).toMatchObject({ verses: 31_084, sampled: sample, outdated: 0 });
  expect(comparison.minCosine).toBeGreaterThanOrEqual(0.995);
});

/** A bonus of 0 to 0.09 for every 30th verse. */
const bonusRows = Uint32Array.from({ length: 1_000 }, (_, at) => at * 30);
const someBonus = { rows: bonusRows, values: Float32Array.from(bonusRows, (_, at) => (at % 10) / 100) };

test('a nearest-verse search finds the same verses and similarities as a comparison with every verse', async () => {
  for (const text of [
    'amor al prójimo',
    'anxiety',
    'Wer hat die Welt erschaffen?',
    'qué dice la Biblia de los impuestos',
    'jehová',
    'x',
  ]) {
    const [vector = new Float32Array()] = await embedder.embedQueries([text]);
    for (const bonus of [null, someBonus]) {
      for (const limit of [1, 50]) {
        expect(await rankNearest({ vector, limit, bonus })).toEqual(rankAll(vector, limit, bonus));
      }
    }
  }
});

test('each of many concurrent nearest-verse searches with the vector of a verse finds this verse first', async () => {
  const ordinals = Array.from({ length: 60 }, (_, at) => vectors.ordinals[at * 500] ?? 0);
  const nearest = (ordinal: number) =>
    rankNearest({ vector: vectors.vectorOf(ordinal) ?? new Float32Array(), limit: 5 });
  const together = await Promise.all(ordinals.map(nearest));
  for (const [at, ordinal] of ordinals.entries()) {
    expect(together[at]?.[0]).toEqual({ ordinal, similarity: 1 });
  }
  for (const at of [0, 10, 59]) expect(together[at]).toEqual(await nearest(ordinals[at] ?? 0));
});

test('an open file of verse vectors returns null for the vector of a verse that it lacks, and for the position of this verse', () => {
  expect(vectors.vectorOf(verseOrdinal({ book: 'JHN', chapter: 99, verse: 1 }))).toBeNull();
  expect(vectors.rowOf(67_001_001)).toBeNull();
});

test('a nearest-verse search returns at most its limit of verses, and rejects a vector with other dimensions', async () => {
  const vector = vectors.vectorOf(43_003_016) ?? new Float32Array();
  expect(await rankNearest({ vector, limit: 0 })).toEqual([]);
  expect(await rankNearest({ vector, limit: 2_147_483_647 })).toHaveLength(31_084);
  await expect(vectors.nearestRows({ vector: vector.subarray(1), limit: 5 })).rejects.toThrow(/383 dimensions/);
});
