// Searches with the queries in queries.tsv and prints the quality of the results.
// Usage: node packages/embeddings/evaluation/evaluate.mjs [DATA_DIR]
// Needs the vectors that `npm run embeddings -- build` makes.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { evaluate } from './measures.mjs';
import { openAll } from './open-all.mjs';

const require = createRequire(import.meta.url);
const { rank, lexicalBonus } = require('../dist/index.js');
const { ordinalParts } = require('@lectern/canon');

const { embedder, vectors, lexicalOverlap, close } = await openAll(process.argv[2] ?? join(process.cwd(), 'data'));
const nameOf = (ordinal) => Object.values(ordinalParts(ordinal) ?? {}).join('.');
const search = async (text) => {
  const [vector] = await embedder.embedQueries([text]);
  const overlap = lexicalOverlap.score(text);
  const bonus = overlap && lexicalBonus(overlap);
  return rank(await vectors.nearest({ vector, limit: 50, bonus }), 50).map(({ ordinal }) => nameOf(ordinal));
};
console.log('queries          n   nDCG@10  success@5');
for (const { name, queries, ndcg, success } of await evaluate(search))
  console.log(`${name.padEnd(14)} ${String(queries).padStart(3)}   ${ndcg.toFixed(3)}    ${success.toFixed(2)}`);
await close();
