import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ordinalParts, verseOrdinal } from '@lectern/canon';
import { isLongRun, useStarted } from '@lectern/testing';
import { openRealCorpus } from '../test-support/open-or-build-real-corpus';
import { verifyVectors } from './build-vectors';
import type { LexicalOverlap, Ranked, RowValues, TranslationWords } from './index';
import {
  createBuiltInEmbedder,
  createLexicalOverlap,
  indexWords,
  lexicalBonus,
  openVectors,
  rankSimilar,
  shippedVectors,
  toSimilarity,
} from './index';
import type { ScanQuery } from './vector-scan';
import { readVectors, type VerseVectors } from './vectors';
import { eachVerseText } from './verse-texts';

const translation = 'spa-rv1909';
const file = shippedVectors(translation) ?? '';
const embedder = createBuiltInEmbedder({ cores: 2, queueLength: 1000 });
const corpus = useStarted(openRealCorpus);
const vectors = useStarted(() => openVectors(file, { embedder: embedder.passageId, translation }));
let rows: VerseVectors;
let lexicalOverlap: LexicalOverlap;
let texts: TranslationWords[];

beforeAll(async () => {
  rows = await readVectors(file);
  const verses = Array.from(eachVerseText(corpus, translation));
  const allRows = Int32Array.from(verses, (_, row) => row);
  texts = [
    {
      ...indexWords(
        'spa',
        verses.map(({ text }) => text),
      ),
      rows: allRows,
    },
    {
      ...indexWords(
        'eng',
        verses.map(({ second }) => second),
      ),
      rows: allRows,
    },
  ];
  lexicalOverlap = createLexicalOverlap(verses.length);
});
afterAll(() => embedder.close());

/** Ranks the verses that `nearestRows` finds. */
async function rankNearest(query: ScanQuery): Promise<Ranked[]> {
  const { indices, cosines, bonuses } = await vectors.nearestRows(query);
  const nearest = {
    ordinals: Array.from(indices, (row) => vectors.ordinals[row] ?? 0),
    similarities: Array.from(cosines, (cosine, at) => toSimilarity(cosine + (bonuses[at] ?? 0))),
  };
  return rankSimilar(nearest, query.limit);
}

/** Ranks every verse by a direct comparison, without the quantized query of `nearestRows`. */
function rankAll(query: Float32Array, limit: number, bonus: RowValues | null): Ranked[] {
  const added = new Map(Array.from(bonus?.rows ?? [], (row, at) => [row, bonus?.values[at] ?? 0]));
  const { count, dimensions, ordinals } = rows;
  const similarities = Array.from({ length: count }, (_, row) => {
    let [product, squares] = [0, 0];
    for (let at = 0; at < dimensions; at += 1) {
      const value = rows.rows[row * dimensions + at] ?? 0;
      product += (query[at] ?? 0) * value;
      squares += value * value;
    }
    return toSimilarity(product / Math.sqrt(squares) + (added.get(row) ?? 0));
  });
  return rankSimilar({ ordinals: [...ordinals], similarities }, limit);
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
    const overlap = lexicalOverlap.score(text, texts);
    for (const bonus of [null, lexicalBonus(overlap)]) {
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

test('semantic search with the shipped vectors reaches the required quality (nDCG@10) for Spanish and English queries', async () => {
  const lines = (name: string): string[][] =>
    readFileSync(join(__dirname, '..', 'evaluation', name), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
  const grades = new Map<string, Map<string, number>>();
  for (const [id = '', verse = '', grade] of lines('qrels.tsv'))
    grades.set(id, (grades.get(id) ?? new Map<string, number>()).set(verse, Number(grade)));
  const sums = new Map<string, { count: number; ndcg: number; success: number }>();
  const discounted = (values: readonly number[]): number =>
    values.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0);
  await Promise.all(
    lines('queries.tsv').map(async ([id = '', language, kind, text = '']) => {
      const [vector = new Float32Array()] = await embedder.embedQueries([text]);
      const bonus = lexicalBonus(lexicalOverlap.score(text, texts));
      const verses = (await rankNearest({ vector, limit: 10, bonus })).map(({ ordinal }) =>
        Object.values(ordinalParts(ordinal) ?? {}).join('.'),
      );
      const graded = grades.get(id) ?? new Map<string, number>();
      const sum = sums.get(`${language} ${kind}`) ?? { count: 0, ndcg: 0, success: 0 };
      const ideal = discounted(Array.from(graded.values()).sort((a, b) => b - a));
      sums.set(`${language} ${kind}`, {
        count: sum.count + 1,
        ndcg: sum.ndcg + discounted(verses.map((verse) => graded.get(verse) ?? 0)) / ideal,
        success: sum.success + (verses.slice(0, 5).some((verse) => graded.has(verse)) ? 1 : 0),
      });
    }),
  );
  const mean = (name: string, what: 'ndcg' | 'success'): number =>
    (sums.get(name)?.[what] ?? 0) / (sums.get(name)?.count ?? 1);
  expect(mean('es topic', 'ndcg')).toBeGreaterThanOrEqual(0.127);
  expect(mean('es topic', 'success')).toBeGreaterThanOrEqual(0.44);
  expect(mean('es paraphrase', 'ndcg')).toBeGreaterThanOrEqual(0.3);
  expect(mean('en topic', 'ndcg')).toBeGreaterThanOrEqual(0.165);
  expect(mean('en paraphrase', 'ndcg')).toBeGreaterThanOrEqual(0.51);
});
