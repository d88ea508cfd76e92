// Compares the cost of operations with the CPU that they take, so that costs can be corrected: node bench/costs.mjs --help.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option, program } from 'commander';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import { rootFields, wholeOperations } from './costs/operations.mjs';
import { withReturnedSizes } from './costs/returned-cost.mjs';
import { schemaFields } from './costs/schema-fields.mjs';
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
    new Option('--seconds <number>', 'about how many CPU seconds to measure for each operation, each way')
      .argParser(positive)
      .default(0.1),
  )
  .option('--only <pattern>', 'only operations whose names match this regular expression')
  .option('--data <folder>', 'the data folder', 'data')
  .option('--output <file>', 'writes the table to this file')
  .parse()
  .opts();

const folder = mkdtempSync(join(tmpdir(), 'lectern-costs-'));
const token = await prepareFolder(folder, resolve(options.data));
const service = await testing.startProcess(
  'packages/standalone/dist/main.js',
  {
    LECTERN_DATA: folder,
    NODE_ENV: 'production',
    PRELOAD_PARSER: 'true',
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    // A cached response takes no CPU.
    RESPONSE_CACHE_BYTES: '0',
    LOG_LEVEL: 'silent',
  },
  '/ready',
  { preload: join(import.meta.dirname, 'costs', 'cpu-meter.cjs') },
);
const cpuMsOfService = () =>
  new Promise((done) => {
    service.child.once('message', done);
    service.child.send('cpu');
  });
process.once('exit', () => {
  service.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const aliased = (count, field, round = 0) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field(index + round * count)}`).join(' ')} }`;
const introspection = await post(getIntrospectionQuery());
const schema = buildClientSchema(introspection.data);
const candidates = [
  ...Object.entries({ ...rootFields, ...schemaFields(schema) }).map(([name, field]) => ({
    name,
    field,
  })),
  ...Object.entries(wholeOperations).map(([name, query]) => ({ name, query })),
  ...testing.knownOperations().map(({ name, query, variables }) => ({ name, query, variables })),
].filter(({ name }) => new RegExp(options.only ?? '').test(name));

/** Returns a function of the number of a request that prints an operation of about `targetCost`. */
async function printerOf({ field, query }, number) {
  if (!field) return { copies: 1, print: () => query };
  // The arguments of root fields differ from request to request and from operation to operation, so that nothing is
  // memoized.
  const shifted = (index) => field(index + 10_007 * number);
  const copies = await copiesFor(shifted);
  return { copies, print: (round) => aliased(copies, shifted, round) };
}

// The first operations would take longer than the others, until their code is compiled.
for (const candidate of candidates.slice(0, 20)) {
  const { print } = await printerOf(candidate, 0);
  for (let round = 0; round < 5; round += 1) await send(print(round), candidate.variables);
}
const measured = [];
for (const [number, candidate] of candidates.entries()) {
  const { copies, print } = await printerOf(candidate, number);
  const name = copies > 1 ? `${copies} x ${candidate.name}` : candidate.name;
  const row = { name, ...(await measure(print, candidate)) };
  measured.push(row);
  console.log(cells(row).join('  '));
}
const summary = summarize();
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
  const { data, errors = [], extensions, bytes } = await post(query, variables);
  return { cost: extensions?.cost?.complexity ?? null, errors, bytes, data };
}

/** How many fields cost about `targetCost` together, or fewer if the request would exceed a limit. */
async function copiesFor(field) {
  const [one, many] = [await send(aliased(1, field)), await send(aliased(41, field))];
  let copies = Math.max(1, Math.min(maxCopies, Math.floor((40 * targetCost) / (many.cost - one.cost))));
  while (copies > 1 && (await send(aliased(copies, field))).errors.some(isLimit)) copies = Math.floor(copies * 0.8);
  return copies;
}

/** Measures requests that repeat a document, and then requests with new documents. */
async function measure(print, { field, variables }) {
  const isField = field !== undefined;
  const first = await send(print(0), variables);
  const code = first.errors[0]?.extensions?.code ?? null;
  const result = {
    cost: first.cost,
    code,
    bytes: first.bytes,
    returnedCost: first.cost,
    /** @type {number | null} */
    cpuMs: null,
    /** @type {number | null} */
    newMs: null,
  };
  // The benchmark's own fields must not fail: their data is not installed then. Known operations may.
  if (first.errors.some(({ path }) => isField || path === undefined)) return result;
  if (first.data && isCompared(result))
    result.returnedCost = (await send(withReturnedSizes(schema, print(0), first.data), variables)).cost ?? first.cost;
  let index = 0;
  result.cpuMs = await cpuOf(() => print(0), variables);
  result.newMs = await cpuOf(() => `${print((index += 1))} # ${index}`, variables);
  return result;
}

/**
 * The CPU milliseconds of a request in the fastest of eight batches, because garbage collection, compilation and other
 * work on the machine only add time, and more than the request takes. The batches before them compile the code.
 */
async function cpuOf(make, variables) {
  const batch = async (size) => {
    const start = await cpuMsOfService();
    for (let request = 0; request < size; request += 1) {
      const { cost, errors } = await send(make(), variables);
      // A rejected operation would seem to take no time.
      if (errors.some(isLimit)) throw new Error(`cost ${cost}: ${errors[0].message}`);
    }
    return ((await cpuMsOfService()) - start) / size;
  };
  const size = Math.min(20, Math.max(1, Math.round((1_000 * options.seconds) / 8 / (await batch(3)))));
  await batch(size);
  let fastest = Infinity;
  for (let each = 0; each < 8; each += 1) fastest = Math.min(fastest, await batch(size));
  return fastest;
}

/**
 * The cost is known before the execution: it is that of what an operation may return. An operation that returned less
 * than half of that takes less CPU for its cost than another one, so the others are also counted without it.
 */
function summarize() {
  const all = measured.filter((row) => isCompared(row) && row.cpuMs !== null);
  const full = all.filter(({ cost, returnedCost }) => 2 * returnedCost > cost);
  const adjustable = full.filter(
    ({ name }) => !/concordance(?!Index)|ChapterCounts|BookCount|TestamentCount|Chapter\.|chapters/i.test(name),
  );
  const lines = (of, rows) => [
    `| ${of} | new | ${rows.length} | ${spread(rows.map(({ cost, newMs }) => newMs / cost))} |`,
    `| ${of} | known | ${rows.length} | ${spread(rows.map(({ cost, cpuMs }) => cpuMs / cost))} |`,
  ];
  const rows = [
    ...lines('all', all),
    ...lines('returned more than half of what their cost counts', full),
    ...lines('of these, without the concordance and lists of chapters, whose cost the specification fixes', adjustable),
  ];
  const ends = (label, rows) =>
    `${label}:\n\n${rows.map(({ name, cost, returnedCost, newMs }) => `- ${name}: ${(newMs / cost).toFixed(3)} (cost ${cost}, of what was returned ${returnedCost})`).join('\n')}`;
  const byCost = all.toSorted((a, b) => a.newMs / a.cost - b.newMs / b.cost);
  return `| operations of a cost from ${compared.min} to ${compared.max} | documents | operations | CPU ms per point | quotient | most within a quotient of 4 |
| --- | --- | ---: | ---: | ---: | ---: |
${rows.join('\n')}

${ends('The ten new documents that take the least CPU per point', byCost.slice(0, 10))}

${ends('The ten that take the most', byCost.slice(-10).reverse())}`;
}

function isCompared({ cost }) {
  return cost >= compared.min && cost <= compared.max;
}

/** The least and the most CPU per point, their quotient, and how many operations lie within a quotient of 4. */
function spread(perCost) {
  const sorted = perCost.toSorted((a, b) => a - b);
  const within = sorted.map((from) => sorted.filter((each) => each >= from && each <= 4 * from).length);
  const [least = 0, most = 0] = [sorted.at(0), sorted.at(-1)];
  return `${least.toFixed(4)} to ${most.toFixed(3)} | ${(most / least).toFixed(1)} | ${Math.max(0, ...within)}`;
}

function cells({ name, cost, returnedCost, code, bytes, cpuMs, newMs }) {
  const format = (value, digits) => (value === null ? '-' : value.toFixed(digits));
  return [
    name,
    cost ?? '-',
    returnedCost ?? '-',
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
    'cost of what was returned',
    'CPU, ms',
    'CPU per cost',
    'CPU of a new document, ms',
    'CPU of a new document per cost',
    'response, kB',
    'error',
  ];
  const rows = [head, ['---', ...Array(7).fill('---:'), '---'], ...measured.map(cells)];
  return `# Results of \`node bench/costs.mjs\`\n\nGenerated by the benchmark.\n\n${summary}\n\n## Operations\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}
