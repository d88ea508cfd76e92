// Compares the cost of operations with the CPU that they take, so that costs can be corrected: node bench/costs.mjs --help.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option, program } from 'commander';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { rootFields, wholeOperations } from './costs/operations.mjs';
import { schemaFields } from './costs/schema-fields.mjs';
import { cpuSeconds } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start.mjs';
import { positive } from './positive-number.mjs';

const testing = createRequire(import.meta.url)('../packages/testing/dist/index.js');

/** Each root field is repeated under aliases up to about this cost. */
const targetCost = 200;
const maxCopies = 290;
const isLimit = ({ extensions }) => /^QUERY_TOO|^BAD_USER_INPUT$/.test(extensions?.code);
/** Only operations of these costs are compared: cheaper ones take a fixed time for the request itself. */
const compared = { min: 50, max: 300 };

const options = program
  .name('node bench/costs.mjs')
  .description('Measures the CPU of operations in one process for everything, and prints it beside their cost.')
  .addOption(
    new Option('--seconds <number>', 'CPU seconds to measure for each operation').argParser(positive).default(0.5),
  )
  .option('--only <text>', 'only operations whose names contain this text')
  .option('--data <folder>', 'the data folder', 'data')
  .option('--output <file>', 'writes the table to this file')
  .parse()
  .opts();

const folder = mkdtempSync(join(tmpdir(), 'lectern-costs-'));
const token = await prepareFolder(folder, resolve(options.data));
const service = await testing.startProcess('packages/standalone/dist/main.js', {
  LECTERN_DATA: folder,
  NODE_ENV: 'production',
  PRELOAD_PARSER: 'true',
  RATE_PER_MINUTE: '0',
  KEY_RATE_PER_MINUTE: '0',
  RATE_PER_DAY: '0',
  // A cached response takes no CPU.
  RESPONSE_CACHE_BYTES: '0',
  // An operation that ends early shows less than it takes.
  REQUEST_CPU_MS: '60000',
  LOG_LEVEL: 'silent',
});
process.once('exit', () => {
  service.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const aliased = (count, field, round = 0) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field(index + round * count)}`).join(' ')} }`;
const introspection = await post(getIntrospectionQuery());
const candidates = [
  ...Object.entries({ ...rootFields, ...schemaFields(buildClientSchema(introspection.data)) }).map(([name, field]) => ({
    name,
    field,
  })),
  ...Object.entries(wholeOperations).map(([name, query]) => ({ name, query })),
  ...testing.knownOperations().map(({ name, query, variables }) => ({ name, query, variables })),
].filter(({ name }) => name.includes(options.only ?? ''));

/** Returns a function of the number of a request that prints an operation of about `targetCost`. */
async function printerOf({ field, query }) {
  if (!field) return { copies: 1, print: () => query };
  const copies = await copiesFor(field);
  // The arguments of root fields differ from request to request, so that nothing is memoized.
  return { copies, print: (round) => aliased(copies, field, round) };
}

// The first operations would take longer than the others, until their code is compiled.
for (const candidate of candidates.slice(0, 20)) {
  const { print } = await printerOf(candidate);
  for (let round = 0; round < 20; round += 1) await send(print(round), candidate.variables);
}
const measured = [];
for (const candidate of candidates) {
  const { copies, print } = await printerOf(candidate);
  const name = copies > 1 ? `${copies} x ${candidate.name}` : candidate.name;
  const row = { name, ...(await measure(print, candidate.variables)) };
  measured.push(row);
  console.log(cells(row).join('  '));
}
const summary = [
  summarize('cpuMs', 'Of documents that the gateway knows'),
  summarize('newMs', 'Of new documents'),
].join('\n\n');
console.log(`\n${summary}`);
if (options.output) writeFileSync(options.output, table());
service.child.kill('SIGTERM');
await service.ended;

async function post(query, variables) {
  const response = await testing.send(`${service.origin}/graphql`, {
    headers: [...testing.graphqlHeaders(token), 'Lectern-Report', 'cost'],
    body: JSON.stringify({ query, variables }),
  });
  return { ...response.json(), bytes: response.text.length };
}

/** Sends an operation. Resolves with its cost, and with its errors. */
async function send(query, variables) {
  const { errors = [], extensions, bytes } = await post(query, variables);
  return { cost: extensions?.cost?.complexity ?? null, errors, bytes };
}

/** How many fields cost about `targetCost` together, or fewer if the request would exceed a limit. */
async function copiesFor(field) {
  const [one, many] = [await send(aliased(1, field)), await send(aliased(41, field))];
  let copies = Math.max(1, Math.min(maxCopies, Math.floor((40 * targetCost) / (many.cost - one.cost))));
  while (copies > 1 && (await send(aliased(copies, field))).errors.some(isLimit)) copies = Math.floor(copies * 0.8);
  return copies;
}

/** Measures requests that repeat a document, and then requests with new documents. */
async function measure(print, variables) {
  const first = await send(print(0), variables);
  const code = first.errors[0]?.extensions?.code ?? null;
  const result = { cost: first.cost, code, bytes: first.bytes };
  if (first.errors.some(({ path }) => path === undefined)) return { ...result, cpuMs: null, newMs: null };
  let index = 0;
  const cpuMs = await cpuOf(() => print(0), variables);
  const newMs = await cpuOf(() => `${print((index += 1))} # ${index}`, variables);
  return { ...result, cpuMs, newMs };
}

/** The CPU of a request. The requests before the measured ones compile the code. */
async function cpuOf(make, variables) {
  const pids = [service.child.pid];
  const run = async (seconds) => {
    const start = cpuSeconds(pids) ?? 0;
    let used = 0;
    let requests = 0;
    while (used < seconds && requests < 400) {
      for (let batch = 0; batch < 3; batch += 1, requests += 1) await send(make(), variables);
      used = (cpuSeconds(pids) ?? 0) - start;
    }
    return (1_000 * used) / requests;
  };
  await run(options.seconds / 3);
  return run(options.seconds);
}

/** States between which values the CPU per cost lies, and how many operations lie within a quotient of 4. */
function summarize(time, ofWhat) {
  const perCost = measured
    .filter(({ cost, [time]: ms }) => cost >= compared.min && cost <= compared.max && ms !== null)
    .map(({ cost, [time]: ms }) => ms / cost)
    .sort((a, b) => a - b);
  const within = perCost.map((from) => perCost.filter((each) => each >= from && each <= 4 * from).length);
  const [count, from] = [Math.max(...within), perCost[within.indexOf(Math.max(...within))] ?? 0];
  const [least = 0, most = 0] = [perCost.at(0), perCost.at(-1)];
  return `${ofWhat}, ${perCost.length} operations cost ${compared.min} to ${compared.max} and are executed. They take ${least.toFixed(3)} to ${most.toFixed(3)} ms of CPU per point of cost: the quotient is ${(most / least).toFixed(1)}. ${count} of them take ${from.toFixed(3)} to ${(4 * from).toFixed(3)} ms.`;
}

function cells({ name, cost, code, bytes, cpuMs, newMs }) {
  const format = (value, digits) => (value === null ? '-' : value.toFixed(digits));
  return [
    name,
    cost ?? '-',
    format(cpuMs, 1),
    format(cpuMs === null ? null : cpuMs / cost, 3),
    format(newMs, 1),
    format(newMs === null ? null : newMs / cost, 3),
    Math.ceil(bytes / 1_000),
    code ?? '',
  ];
}

function table() {
  const head = [
    'operation',
    'cost',
    'CPU, ms',
    'CPU per cost',
    'CPU of a new document, ms',
    'CPU of a new document per cost',
    'response, kB',
    'error',
  ];
  const rows = [head, ['---', ...Array(6).fill('---:'), '---'], ...measured.map(cells)];
  return `# Results of \`node bench/costs.mjs\`\n\nGenerated by the benchmark.\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n${summary}\n`;
}
