// What it costs to refuse: the worst documents within the limit of tokens, and a flood of addresses. Run by hand: node bench/limits.mjs
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';

const require = createRequire(import.meta.url);
const { buildSchema } = require('graphql');
const { createJudge } = require('../gateway/dist/operation.js');
const { createMemoryCounterStore } = require('../gateway/dist/rate/memory-counts.js');
const { pricesOf } = require('../gateway/dist/limits/prices.js');

const schema = buildSchema(readFileSync('tests/contract.graphql', 'utf8'), { assumeValid: true });
const prices = pricesOf(readFileSync('supergraph.graphql', 'utf8'));
const limits = { tokens: 5_000, depth: 15, complexity: 300 };
const rounds = 15;

const repeat = (times, part) => Array.from({ length: times }, (_, index) => part(index)).join(' ');
const documents = {
  'a bomb of fragments, 2^22': `{ ...F0 } ${repeat(22, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F22 on Query { __typename }`,
  'fragments, as many as fit': `{ ...F0 } ${repeat(600, (index) => `fragment F${index} on Query { ...F${index + 1} }`)} fragment F600 on Query { __typename }`,
  'fragments in a circle': `{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }`,
  'one field 4,900 times': `{ ${repeat(4_900, () => '__typename')} }`,
  'one field with arguments 600 times': `{ ${repeat(600, () => 'verse(book: "JHN")')} }`,
  '600 fields of one name, not alike': `{ ${repeat(600, (index) => `a: f${index}(x: ${index})`)} }`,
  'an operation that is not asked for, with 440 such fields': `query A { __typename } query B { ${repeat(440, (index) => `a: verse(book: "x${index}") { id }`)} }`,
  '1,600 levels': `{ ${'a { '.repeat(1_600)}b${' }'.repeat(1_600)} }`,
  '1,250 unknown fields': `{ ${repeat(1_250, (index) => `unknown${index}`)} }`,
  '4,990 brackets in an argument': `{ verse(book: ${'['.repeat(2_490)}${']'.repeat(2_490)}) { id } }`,
  '99 kB in one string': `{ verse(book: "${'x'.repeat(99_000)}", chapter: 3, verse: 16) { id } }`,
  '99 kB of comments': `${'# nothing here\n'.repeat(6_500)}{ __typename }`,
};

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} times each, on a judge that has not seen it\n`,
);
for (const [name, document] of Object.entries(documents)) {
  const times = [];
  let code = 'passes';
  for (let round = 0; round < rounds; round += 1) {
    const judge = createJudge(schema, prices, limits);
    const before = process.cpuUsage();
    const judged = judge({
      query: document,
      variables: null,
      operationName: document.startsWith('query A') ? 'A' : null,
    });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
    if ('refusal' in judged) code = `${judged.refusal[0].extensions.code}, ${judged.refusal.length} errors`;
  }
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(60)} median ${times[rounds >> 1].toFixed(1).padStart(6)} ms of CPU, most ${times.at(-1).toFixed(1).padStart(6)}   ${code}`,
  );
}

global.gc?.();
const flood = 300_000;
const counts = createMemoryCounterStore();
const key = { bucket: 'lectern:key:1:a-key', allowance: 'key', most: 1_000, secondsLeft: 60 };
counts.take([key]);
const before = process.memoryUsage();
const began = performance.now();
for (let index = 0; index < flood; index += 1)
  counts.take([
    {
      bucket: `lectern:address:1:${index >> 16}.${(index >> 8) & 255}.${index & 255}.7`,
      allowance: 'address',
      most: 100,
      secondsLeft: 60,
    },
  ]);
const took = performance.now() - began;
global.gc?.();
console.log(
  `\n${flood.toLocaleString('en')} addresses counted: ${((process.memoryUsage().heapUsed - before.heapUsed) / 1e6).toFixed(1)} MB of heap${global.gc ? '' : ' (uncollected: node --expose-gc says it exactly)'}, ${((took * 1_000) / flood).toFixed(2)} us each; the key's count is ${counts.lastKnown(key) === 1 ? 'kept' : 'lost'}`,
);
