// Searches with graded questions and prints the quality of the results.
// Usage: node bench/search-quality/evaluate-search-quality.mjs [--questions DIR] [--without FILE] [--translation ID] [--data DIR]
//   --questions DIR    a folder with queries.tsv and qrels.tsv, or with files of stories (default: packages/embeddings/evaluation)
//                      The folder languages/ in it has the same questions in six languages.
//   --without FILE     a file with one topic per line; these topics are not used for ranking, because the grades of the
//                      topic questions come from them
//   --translation ID   the translation to search (default: spa-rv1909)
//   --data DIR         the data folder that `npm run data` fills (default: data)
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  evaluateQueries,
  evaluateStories,
  evaluationFolder,
} from '../../packages/embeddings/evaluation/measure-ndcg-and-success.mjs';
import { openSemanticSearch } from './open-semantic-search.mjs';

const { ordinalParts } = createRequire(import.meta.url)('../../packages/canon/dist/index.js');
const { values } = parseArgs({
  options: {
    questions: { type: 'string', default: evaluationFolder },
    without: { type: 'string' },
    translation: { type: 'string', default: 'spa-rv1909' },
    data: { type: 'string', default: join(process.cwd(), 'data') },
  },
});
const without = new Set(values.without === undefined ? [] : readFileSync(values.without, 'utf8').trim().split('\n'));
const { search: searchVerses, close } = await openSemanticSearch(values.data, { without });
const search = async (/** @type {string} */ text) =>
  (await searchVerses(text, values.translation, 50)).map((ordinal) =>
    Object.values(ordinalParts(ordinal) ?? {}).join('.'),
  );

console.log('questions        n   nDCG@10  success@5  success@1');
for (const { name, queries, ndcg, success5, success1 } of [
  ...(await evaluateQueries(values.questions, search)),
  ...(await evaluateStories(values.questions, search)),
])
  console.log(
    `${name.padEnd(14)} ${String(queries).padStart(3)}   ${ndcg.toFixed(3)}    ${success5.toFixed(2)}       ${success1.toFixed(2)}`,
  );
await close();
