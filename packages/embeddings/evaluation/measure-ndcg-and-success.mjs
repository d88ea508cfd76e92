// Measures of a ranking: nDCG@10 (gain 2^grade - 1, discount log2), and success@5 and success@1 (a
// relevant verse among the first five, or in the first place).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder with the questions of this project. */
export const evaluationFolder = dirname(fileURLToPath(import.meta.url));

/** The number of verses, the best first, for which nDCG is measured. */
const measured = 10;

/**
 * Returns the measures of a ranking, each from 0 to 1.
 * @template Verse
 * @param {readonly Verse[]} found the verses of the ranking, best first
 * @param {ReadonlyMap<Verse, number>} grades how well each right verse answers the question
 */
export function measureRanking(found, grades) {
  const gain = (/** @type {readonly number[]} */ values) =>
    values.slice(0, measured).reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0);
  const ideal = gain([...grades.values()].sort((a, b) => b - a));
  const success = (/** @type {number} */ count) => (found.slice(0, count).some((verse) => grades.has(verse)) ? 1 : 0);
  return {
    ndcg: ideal > 0 ? gain(found.map((verse) => grades.get(verse) ?? 0)) / ideal : 0,
    success5: success(5),
    success1: success(1),
  };
}

/**
 * Reads the rows of a tab-separated file without its header.
 * @param {string} file
 */
const readTable = (file) =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));

/**
 * @param {string} [folder]
 * @returns {{ id: string, language: string, kind: string, text: string }[]}
 */
export const readQueries = (folder = evaluationFolder) =>
  readTable(join(folder, 'queries.tsv')).map(([id, language, kind, text]) => ({ id, language, kind, text }));

/**
 * @param {string} folder
 * @returns {Map<string, Map<string, number>>} by the query's id, the grades of verses such as JHN.3.16
 */
export function readGrades(folder) {
  const grades = new Map();
  for (const [query, verse, grade] of readTable(join(folder, 'qrels.tsv')))
    grades.set(query, (grades.get(query) ?? new Map()).set(verse, Number(grade)));
  return grades;
}

/** The codes of the languages that a file of stories may have a column for. */
const languageCodes = { english: 'en', spanish: 'es', german: 'de', french: 'fr', italian: 'it', portuguese: 'pt' };

/**
 * Reads the stories of a folder. A file of stories has a column for each language, then the column
 * `passages` with passages such as `MAT 6:9-13;LUK 11:2-4`. It may begin with a column `kind`.
 * @param {string} folder
 * @returns {{ name: string, text: string, grades: Map<string, number> }[]} a query for each story and language
 */
function readStories(folder) {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.tsv'))
    .map((name) => join(folder, name));
  return files.flatMap((file) => {
    const columns = readFileSync(file, 'utf8').split('\n', 1)[0]?.split('\t') ?? [];
    if (columns.at(-1) !== 'passages') return [];
    return readTable(file).flatMap((cells) => {
      const {
        kind = 'story',
        passages,
        ...names
      } = Object.fromEntries(columns.map((column, at) => [column, cells[at]]));
      const grades = new Map(passages.split(';').flatMap((passage) => versesOf(passage).map((verse) => [verse, 1])));
      return Object.entries(names).map(([language, text]) => {
        const code = languageCodes[language];
        if (code === undefined)
          throw new Error(`${file}: the column '${language}' is not one of ${Object.keys(languageCodes)}`);
        return { name: `${code} ${kind}`, text, grades };
      });
    });
  });
}

/** @param {string} passage verses of one chapter, such as `GEN 1:1-3` */
function versesOf(passage) {
  const [, book, chapter, first, last = first] = /^(\w+) (\d+):(\d+)(?:-(\d+))?$/.exec(passage.trim()) ?? [];
  if (book === undefined) throw new Error(`stories: the passage '${passage}' is not like 'GEN 1:1-3'`);
  return Array.from(
    { length: Number(last) - Number(first) + 1 },
    (_, index) => `${book}.${chapter}.${Number(first) + index}`,
  );
}

/**
 * Reads the queries with graded verses in a folder, and its stories.
 * @param {string} folder
 * @returns {{ name: string, text: string, grades: ReadonlyMap<string, number> }[]} named by language and kind
 */
export const readQuestions = (folder) => [...readGradedQueries(folder), ...readStories(folder)];

/** @param {string} folder if it has no queries.tsv, the result is [] */
function readGradedQueries(folder) {
  if (!existsSync(join(folder, 'queries.tsv'))) return [];
  const grades = readGrades(folder);
  return readQueries(folder).map(({ id, language, kind, text }) => ({
    name: `${language} ${kind}`,
    text,
    grades: grades.get(id) ?? new Map(),
  }));
}

/**
 * Searches with every question of a folder. Returns the mean measures by language and kind of question.
 * @param {string} folder
 * @param {(text: string) => Promise<readonly string[]>} search returns at least ten verses, best
 *   first
 */
export const evaluateQueries = (folder, search) => meansOf(readGradedQueries(folder), search);

/**
 * @param {string} folder with files of stories
 * @param {(text: string) => Promise<readonly string[]>} search
 */
export const evaluateStories = (folder, search) => meansOf(readStories(folder), search);

/**
 * @param {readonly { name: string, text: string, grades: ReadonlyMap<string, number> }[]} queries
 * @param {(text: string) => Promise<readonly string[]>} search
 */
async function meansOf(queries, search) {
  const groups = new Map();
  for (const { name, text, grades } of queries) {
    const group = groups.get(name) ?? { name, queries: 0, ndcg: 0, success5: 0, success1: 0 };
    const { ndcg, success5, success1 } = measureRanking(await search(text), grades);
    group.queries += 1;
    group.ndcg += ndcg;
    group.success5 += success5;
    group.success1 += success1;
    groups.set(name, group);
  }
  return [...groups.values()].map(({ name, queries, ndcg, success5, success1 }) => ({
    name,
    queries,
    ndcg: ndcg / queries,
    success5: success5 / queries,
    success1: success1 / queries,
  }));
}
