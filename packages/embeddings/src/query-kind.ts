import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Distress =
  | 'SUICIDE'
  | 'SELF_HARM'
  | 'ABUSE'
  | 'GRIEF'
  | 'LONELINESS'
  | 'ADDICTION'
  | 'INFIDELITY'
  | 'JOB_LOSS';

export interface QueryKind {
  /** Whether the query may be about the Bible. False for letters, program code and questions about other subjects. */
  isRelated: boolean;
  distress: Distress | null;
}

/** A softmax regression. Its input is the vector of a query from one model, and the query's lexical overlap. */
interface Classifier {
  /** The id of the model (`Embedder.id`). */
  embedder: string;
  kinds: readonly {
    kind: Distress | 'RELATED' | 'UNRELATED';
    bias: number;
    overlap: number;
    weights: readonly number[];
  }[];
}

/** The minimum probability with which a query is unrelated to the Bible. RANKING.md has the measured errors. */
const minUnrelated = 0.5;
/** The minimum probability with which a query shows distress. */
const minDistress = 0.4;

/**
 * Creates the function that classifies queries. `overlap` is the largest share of the query's words that a verse
 * contains. With it, a quotation from the Bible is not taken for distress. With any model but the built-in one, every
 * query counts as related and without distress.
 */
export function createClassifyQuery(embedder: string): (vector: Float32Array, overlap: number) => QueryKind {
  const file = join(__dirname, '..', 'model', 'query-kinds.json');
  const classifier = JSON.parse(readFileSync(file, 'utf8')) as Classifier;
  if (classifier.embedder !== embedder) return () => ({ isRelated: true, distress: null });
  return (vector, overlap) => {
    const powers = classifier.kinds.map(({ bias, weights, overlap: weight }) =>
      Math.exp(weights.reduce((sum, each, at) => sum + each * (vector[at] ?? 0), bias + weight * overlap)),
    );
    const total = powers.reduce((sum, each) => sum + each, 0);
    let best: { distress: Distress; power: number } | null = null;
    let unrelated = 0;
    let distressed = 0;
    for (const [at, { kind }] of classifier.kinds.entries()) {
      const power = powers[at] ?? 0;
      if (kind === 'UNRELATED') unrelated = power;
      else if (kind !== 'RELATED') {
        distressed += power;
        if (power > (best?.power ?? 0)) best = { distress: kind, power };
      }
    }
    const distress = best && distressed >= minDistress * total ? best.distress : null;
    return { isRelated: unrelated < minUnrelated * total, distress };
  };
}
