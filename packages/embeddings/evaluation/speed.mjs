// What a question costs, from text to ranked verses: node packages/embeddings/evaluation/speed.mjs [DATA_DIR] [CORES]
// Run `npm run embeddings -- build` before.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readQueries } from './measures.mjs';
import { openAll } from './open-all.mjs';

const require = createRequire(import.meta.url);
const { rank, lexicalBonus } = require('../dist/index.js');

const cores = Number(process.argv[3] ?? 2);
const { embedder, vectors, lexicalOverlap, loadMs, close } = await openAll(
  process.argv[2] ?? join(process.cwd(), 'data'),
  {
    cores,
  },
);
const questions = readQueries();
const at = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)].toFixed(1);

async function ask(text) {
  const [vector] = await embedder.embedQueries([text]);
  const covered = lexicalOverlap.score(text);
  const bonus = covered && lexicalBonus(covered);
  return rank(await vectors.nearest({ vector, limit: 10, bonus }), 10);
}

/** The longest time that the event loop did nothing else. */
function watchLoop() {
  let [longest, last, watching] = [0, performance.now(), true];
  const look = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (watching) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    watching = false;
    return longest.toFixed(1);
  };
}

console.log(`${cores} cores; everything loaded in ${loadMs.toFixed(0)} ms`);
for (const callers of [1, 8, 32]) {
  const times = [];
  let next = 0;
  const total = callers === 1 ? questions.length : questions.length * 2;
  // The loop is watched by running it all the time, which takes a core: times are taken without.
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < total) {
        const { text } = questions[next++ % questions.length];
        const asked = performance.now();
        await ask(text);
        times.push(performance.now() - asked);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${String(callers).padStart(3)} callers: p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)} ms, ${(total / seconds).toFixed(0)} questions a second`,
  );
}
const longest = watchLoop();
for (let from = 0; from < 96; from += 32)
  await Promise.all(questions.slice(from, from + 32).map(({ text }) => ask(text)));
console.log(`longest gap of the event loop with 32 callers: ${longest()} ms`);
console.log(`resident: ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
await close();
