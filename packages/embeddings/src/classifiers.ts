import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A sum over the vector of a query and its largest lexical overlap with a verse, from 0 to 1. */
interface LinearSum {
  bias: number;
  weights: readonly number[];
}

/** Reads a classifier of model/. Returns null for the queries of another model than it was trained with. */
function readClassifier<Classifier extends { embedder: string }>(file: string, embedder: string): Classifier | null {
  const classifier = JSON.parse(readFileSync(join(__dirname, '..', 'model', file), 'utf8')) as Classifier;
  return classifier.embedder === embedder ? classifier : null;
}

const sumOf = ({ bias, weights }: LinearSum, vector: Float32Array): number =>
  weights.reduce((total, weight, at) => total + weight * (vector[at] ?? 0), bias);

/** How much it counts that a verse has all words of the query. */
const overlapWeight = 5;

/** Queries with a lower sum are unrelated. RANKING.md has the measured errors. */
const relatedThreshold = -0.6;

/**
 * Creates the function that tells whether a query has to do with the Bible, and is not a row of
 * letters, program code or a question about another subject. `overlap` is the largest lexical
 * overlap of the query with a verse. For another model than the built-in one, all queries are
 * related.
 */
export function createIsRelated(embedder: string): (vector: Float32Array, overlap: number) => boolean {
  const classifier = readClassifier<LinearSum & { embedder: string }>('relatedness.json', embedder);
  return (vector, overlap) => !classifier || sumOf(classifier, vector) + overlapWeight * overlap >= relatedThreshold;
}

/** What may distress the person who asks. */
export type Distress =
  | 'SUICIDE'
  | 'SELF_HARM'
  | 'ABUSE'
  | 'GRIEF'
  | 'LONELINESS'
  | 'ADDICTION'
  | 'INFIDELITY'
  | 'JOB_LOSS';

interface DistressClassifier {
  embedder: string;
  kinds: readonly (LinearSum & { kind: Distress | 'NONE'; overlap: number })[];
}

/** The least probability of some distress. RANKING.md has the measured errors. */
const minDistress = 0.5;

/**
 * Creates the function that returns what distresses the person who asks, or null. A quotation of a
 * verse has a large overlap, and is no distress. Knows the queries of the built-in model only.
 */
export function createFindDistress(embedder: string): (vector: Float32Array, overlap: number) => Distress | null {
  const kinds = readClassifier<DistressClassifier>('distress.json', embedder)?.kinds ?? [];
  return (vector, overlap) => {
    const powers = kinds.map((each) => Math.exp(sumOf(each, vector) + each.overlap * overlap));
    const total = powers.reduce((sum, each) => sum + each, 0);
    let best: { kind: Distress; power: number } | null = null;
    let none = 0;
    for (const [at, { kind }] of kinds.entries()) {
      const power = powers[at] ?? 0;
      if (kind === 'NONE') none = power;
      else if (power > (best?.power ?? 0)) best = { kind, power };
    }
    return best && 1 - none / total >= minDistress ? best.kind : null;
  };
}
