import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A logistic regression on the vectors of queries of one model. */
interface Classifier {
  /** `Embedder.id` of the model. */
  embedder: string;
  bias: number;
  weights: readonly number[];
}

/** How much it counts that a verse has all words of the query. */
const overlapWeight = 5;

/** Queries with a lower sum are unrelated. RANKING.md has the measured errors. */
const threshold = -0.6;

/**
 * Creates the function that tells whether a query has to do with the Bible, and is not a row of
 * letters, program code or a question about another subject. `overlap` is the largest lexical
 * overlap of the query with a verse. For another model than the built-in one, all queries are
 * related.
 */
export function createIsRelated(embedder: string): (vector: Float32Array, overlap: number) => boolean {
  const file = join(__dirname, '..', 'model', 'relatedness.json');
  const classifier = JSON.parse(readFileSync(file, 'utf8')) as Classifier;
  if (classifier.embedder !== embedder) return () => true;
  return (vector, overlap) => {
    const sum = classifier.weights.reduce((total, weight, at) => total + weight * (vector[at] ?? 0), classifier.bias);
    return sum + overlapWeight * overlap >= threshold;
  };
}
