// How good a ranking is: nDCG@10 (gain 2^grade - 1, discount log2) and success@5 (a relevant verse among the first five).
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = dirname(fileURLToPath(import.meta.url));
const table = (file) =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/** @returns {{ id: string, language: string, kind: string, text: string }[]} */
export const readQueries = () =>
  table('queries.tsv').map(([id, language, kind, text]) => ({ id, language, kind, text }));

/** @returns {Map<string, Map<string, number>>} by question, the grades of verses such as JHN.3.16 */
export function readGrades() {
  const grades = new Map();
  for (const [query, verse, grade] of table('qrels.tsv'))
    grades.set(query, (grades.get(query) ?? new Map()).set(verse, Number(grade)));
  return grades;
}

/** @param {readonly string[]} found verses, best first */
export function measure(found, grades) {
  const gain = (grade) => 2 ** grade - 1;
  const discounted = (values) =>
    values.slice(0, 10).reduce((sum, grade, rank) => sum + gain(grade) / Math.log2(rank + 2), 0);
  const ideal = discounted([...grades.values()].sort((a, b) => b - a));
  return {
    ndcg: ideal > 0 ? discounted(found.map((verse) => grades.get(verse) ?? 0)) / ideal : 0,
    success: found.slice(0, 5).some((verse) => grades.has(verse)) ? 1 : 0,
  };
}

/**
 * Asks every question and averages by language and kind.
 * @param {(text: string) => Promise<readonly string[]>} ask gives at least ten verses, best first
 */
export async function evaluate(ask) {
  const grades = readGrades();
  const groups = new Map();
  for (const { id, language, kind, text } of readQueries()) {
    const name = `${language} ${kind}`;
    const group = groups.get(name) ?? { name, questions: 0, ndcg: 0, success: 0 };
    const { ndcg, success } = measure(await ask(text), grades.get(id) ?? new Map());
    groups.set(name, {
      name,
      questions: group.questions + 1,
      ndcg: group.ndcg + ndcg,
      success: group.success + success,
    });
  }
  return [...groups.values()].map(({ name, questions, ndcg, success }) => ({
    name,
    questions,
    ndcg: ndcg / questions,
    success: success / questions,
  }));
}
