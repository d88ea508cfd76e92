// Measures of a ranking: nDCG@10 (gain 2^grade - 1, discount log2) and success@5 (a relevant verse
// among the first five).
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));

/**
 * Reads the rows of a tab-separated file without its header.
 * @param {string} file
 */
const readTable = (file) =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/** @returns {{ id: string, language: string, kind: string, text: string }[]} */
export const readQueries = () =>
  readTable('queries.tsv').map(([id, language, kind, text]) => ({ id, language, kind, text }));

/** @returns {Map<string, Map<string, number>>} by the query's id, the grades of verses such as JHN.3.16 */
export function readGrades() {
  const grades = new Map();
  for (const [query, verse, grade] of readTable('qrels.tsv'))
    grades.set(query, (grades.get(query) ?? new Map()).set(verse, Number(grade)));
  return grades;
}

/**
 * @param {readonly string[]} found verses, best first
 * @param {ReadonlyMap<string, number>} grades by verse
 */
export function measure(found, grades) {
  /** @param {number} grade */
  const gain = (grade) => 2 ** grade - 1;
  /** @param {readonly number[]} values */
  const discountedGain = (values) =>
    values.slice(0, 10).reduce((sum, grade, rank) => sum + gain(grade) / Math.log2(rank + 2), 0);
  const idealGain = discountedGain([...grades.values()].sort((a, b) => b - a));
  return {
    ndcg: idealGain > 0 ? discountedGain(found.map((verse) => grades.get(verse) ?? 0)) / idealGain : 0,
    success: found.slice(0, 5).some((verse) => grades.has(verse)) ? 1 : 0,
  };
}

/**
 * Searches with every query. Returns the mean measures by language and kind of query.
 * @param {(text: string) => Promise<readonly string[]>} search returns at least ten verses, best
 *   first
 */
export async function evaluate(search) {
  const grades = readGrades();
  const groups = new Map();
  for (const { id, language, kind, text } of readQueries()) {
    const name = `${language} ${kind}`;
    const group = groups.get(name) ?? { name, queries: 0, ndcg: 0, success: 0 };
    const { ndcg, success } = measure(await search(text), grades.get(id) ?? new Map());
    groups.set(name, {
      name,
      queries: group.queries + 1,
      ndcg: group.ndcg + ndcg,
      success: group.success + success,
    });
  }
  return [...groups.values()].map(({ name, queries, ndcg, success }) => ({
    name,
    queries,
    ndcg: ndcg / queries,
    success: success / queries,
  }));
}
