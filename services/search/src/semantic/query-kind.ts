import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const needGroups = ['DISTRESS', 'OCCASION'] as const;

/** What a person who asks needs: comfort in a kind of distress, or verses for an occasion of joy. */
export interface RecognizedNeed {
  /** The id in services/search/needs.tsv. */
  id: string;
  group: (typeof needGroups)[number];
  /** The probability that the query is of this group, from 0 to 1. */
  probability: number;
}

export interface QueryKind {
  /** Whether the query may be about the Bible. False for letters, program code and questions about other subjects. */
  isRelated: boolean;
  need: RecognizedNeed | null;
}

/** A softmax regression. Its input is the vector of a query from one model, and the query's lexical overlap. */
interface Classifier {
  /** The id of the model (`Embedder.id`). */
  embedder: string;
  kinds: readonly {
    kind: string;
    group: RecognizedNeed['group'] | 'RELATED' | 'UNRELATED';
    bias: number;
    overlap: number;
    weights: readonly number[];
  }[];
}

/** The minimum probability with which a query is of a group. RANKING.md has the measured errors. */
const minProbability = { UNRELATED: 0.5, DISTRESS: 0.4, OCCASION: 0.5 } as const;

/** With this overlap, the query may be a quotation. Many verses lament, so its distress must be more probable. */
const quotation = { minOverlap: 0.68, minProbability: 0.75 } as const;

/**
 * `overlap` is the largest share of the query's words that a verse contains: a quotation is not taken for distress.
 * With any model but the built-in one, every query counts as related and without need.
 */
export function createClassifyQuery(embedder: string): (vector: Float32Array, overlap: number) => QueryKind {
  const file = join(__dirname, '..', '..', 'query-kinds', 'query-kinds.json');
  const { embedder: trainedFor, kinds } = JSON.parse(readFileSync(file, 'utf8')) as Classifier;
  if (trainedFor !== embedder) return () => ({ isRelated: true, need: null });
  return (vector, overlap) => {
    const powers = kinds.map(({ bias, weights, overlap: weight }) =>
      Math.exp(weights.reduce((sum, each, at) => sum + each * (vector[at] ?? 0), bias + weight * overlap)),
    );
    const total = powers.reduce((sum, each) => sum + each, 0);
    const probabilityOf = (wanted: string): number =>
      kinds.reduce((sum, { group }, at) => sum + (group === wanted ? (powers[at] ?? 0) : 0), 0) / total;
    const minimum = overlap >= quotation.minOverlap ? quotation.minProbability : 0;
    const group = needGroups.find((each) => probabilityOf(each) >= Math.max(minimum, minProbability[each]));
    const isRelated = probabilityOf('UNRELATED') < minProbability.UNRELATED;
    if (!group) return { isRelated, need: null };
    const power = Math.max(...powers.filter((_, at) => kinds[at]?.group === group));
    const id = kinds[powers.indexOf(power)]?.kind ?? '';
    return { isRelated, need: { id, group, probability: probabilityOf(group) } };
  };
}
