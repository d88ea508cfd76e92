// Measures the cost of rejecting: the most expensive documents within the token limit, and a flood of client addresses.
// Run by hand: node --expose-gc bench/rejection-cost.mjs
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus } from 'node:os';

const require = createRequire(import.meta.url);
const { buildSchema, parse } = require('graphql');
const { createOperationValidator } = require('../gateway/dist/validation/validator.js');
const { readFieldCosts, readSizedFields } = require('../gateway/dist/validation/field-costs.js');
const { createMemoryCounterStore } = require('../gateway/dist/admission/counters.js');

const schema = buildSchema(readFileSync('tests/contract.graphql', 'utf8'), { assumeValid: true });
const supergraph = parse(readFileSync('supergraph.graphql', 'utf8'));
const fieldCosts = readFieldCosts(supergraph);
const declaredCosts = { fieldCosts, sizedFields: readSizedFields(supergraph, fieldCosts) };
const limits = { tokens: 5_000, depth: 15, complexity: 300 };
const rounds = 15;

const repeat = (times, part) => Array.from({ length: times }, (_, index) => part(index)).join(' ');
const documents = {
  'fragments that expand to 2^22 fields': `{ ...F0 } ${repeat(22, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F22 on Query { __typename }`,
  'a chain of 200 fragments': `{ ...F0 } ${repeat(199, (index) => `fragment F${index} on Query { ...F${index + 1} }`)} fragment F199 on Query { __typename }`,
  'fragments in a circle': `{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }`,
  'one field 4,900 times': `{ ${repeat(4_900, () => '__typename')} }`,
  'one field with arguments 600 times': `{ ${repeat(600, () => 'verse(book: "JHN")')} }`,
  '600 conflicting fields of one response name': `{ ${repeat(600, (index) => `a: f${index}(x: ${index})`)} }`,
  '440 conflicting fields in an operation that is not executed': `query A { __typename } query B { ${repeat(440, (index) => `a: verse(book: "x${index}") { id }`)} }`,
  '220 conflicting fields in an operation that is not executed': `query A { __typename } query B { ${repeat(220, (index) => `a: x${index}`)} }`,
  '1,600 levels': `{ ${'a { '.repeat(1_600)}b${' }'.repeat(1_600)} }`,
  '1,250 unknown fields': `{ ${repeat(1_250, (index) => `unknown${index}`)} }`,
  '4,990 unknown fields': `{ ${repeat(4_990, (index) => `unknown${index}`)} }`,
  '4,990 unknown fields of one name': `{ ${repeat(4_990, () => 'unknown')} }`,
  '1,600 fields of the schema, above the cost limit': `{ ${repeat(1_600, (index) => `a${index}: __typename`)} }`,
  '400 fields with arguments, above the cost limit': `{ ${repeat(400, (index) => `a${index}: passage(reference: "${index}") { text }`)} }`,
  '1,236 conflicting fields in 12 selection sets': `{ ${repeat(12, (index) => `b${index}: books { ${repeat(103, (name) => `a: x${name}`)} }`)} }`,
  '200 fragments in one selection set': `{ ${repeat(200, (index) => `...F${index}`)} } ${repeat(200, (index) => `fragment F${index} on Query { a${index}: __typename }`)}`,
  '100 operations with 200 fragments and their variables': `${repeat(100, (index) => `query A${index} { ...F0 }`)} ${repeat(199, (index) => `fragment F${index} on Query { ...F${index + 1} chapter(chapter: $v) { id } }`)} fragment F199 on Query { __typename }`,
  '4,990 brackets in an argument': `{ verse(book: ${'['.repeat(2_490)}${']'.repeat(2_490)}) { id } }`,
  '99 kB in one string': `{ verse(book: "${'x'.repeat(99_000)}", chapter: 3, verse: 16) { id } }`,
  '99 kB of comments': `${'# nothing here\n'.repeat(6_500)}{ __typename }`,
};

console.log(
  `${cpus().length} cores, ${cpus()[0].model}, node ${process.version}; ${rounds} times each, with an empty cache\n`,
);
for (const [name, document] of Object.entries(documents)) {
  const times = [];
  let result = 'valid';
  for (let round = 0; round < rounds; round += 1) {
    const { prepare } = createOperationValidator({ schema, declaredCosts, limits, onLookup: () => {} });
    const before = process.cpuUsage();
    const validated = prepare({
      query: document,
      variables: null,
      operationName: document.startsWith('query A') ? 'A' : null,
    });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
    if (validated.kind === 'rejected') result = `${codeOf(validated.errors[0])}, ${validated.errors.length} errors`;
  }
  times.sort((a, b) => a - b);
  console.log(
    `${name.padEnd(60)} median ${times[rounds >> 1].toFixed(1).padStart(6)} ms of CPU, max ${times[rounds - 1].toFixed(1).padStart(6)}   ${result}`,
  );
}

// Measures a flood of client addresses. Each address has its own rate-limit counter in memory, and the
// counter of an API key must not be removed to make space for them.
globalThis.gc?.();
const addresses = 300_000;
const counters = createMemoryCounterStore();
const keyEntry = { bucket: 'lectern:test:key:1:a-key', limit: 'key', max: 1_000, secondsLeft: 60 };
counters.consume([keyEntry]);
const before = process.memoryUsage();
const began = performance.now();
for (let index = 0; index < addresses; index += 1) {
  const address = `${index >> 16}.${(index >> 8) & 255}.${index & 255}.7`;
  counters.consume([{ bucket: `lectern:test:address:1:${address}`, limit: 'address', max: 100, secondsLeft: 60 }]);
}
const took = performance.now() - began;
globalThis.gc?.();
const heapMegabytes = (process.memoryUsage().heapUsed - before.heapUsed) / 1e6;
console.log(
  `\n${addresses.toLocaleString('en')} addresses counted: ${heapMegabytes.toFixed(1)} MB of heap${globalThis.gc ? '' : ' (with garbage; exact with node --expose-gc)'}, ${((took * 1_000) / addresses).toFixed(2)} us each; the key's counter is ${counters.lastKnown(keyEntry) === 1 ? 'kept' : 'lost'}`,
);

/** @param {{ extensions?: { code?: unknown } }} error */
function codeOf(error) {
  return error.extensions?.code ?? 'no code';
}
