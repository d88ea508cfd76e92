// Asks the questions beside this file and prints how good the answers are: node packages/embeddings/evaluation/evaluate.mjs [DATA_DIR]
// Run `npm run embeddings -- build` before.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { evaluate } from './measures.mjs';
import { openAll } from './open-all.mjs';

const require = createRequire(import.meta.url);
const { rank, lexicalBonus } = require('../dist/index.js');
const { ordinalParts } = require('@lectern/canon');

const { embedder, vectors, lexicalOverlap, close } = await openAll(process.argv[2] ?? join(process.cwd(), 'data'));
const nameOf = (ordinal) => Object.values(ordinalParts(ordinal)).join('.');
const ask = async (text) => {
  const [vector] = await embedder.embedQueries([text]);
  const covered = lexicalOverlap.score(text);
  const bonus = covered && lexicalBonus(covered);
  return rank(await vectors.nearest({ vector, limit: 50, bonus }), 50).map(({ ordinal }) => nameOf(ordinal));
};
console.log('questions        n   nDCG@10  success@5');
for (const { name, questions, ndcg, success } of await evaluate(ask))
  console.log(`${name.padEnd(14)} ${String(questions).padStart(3)}   ${ndcg.toFixed(3)}    ${success.toFixed(2)}`);
await close();
