// Compares the cost of operations with the CPU that they take, so that costs can be corrected: node bench/costs.mjs --help.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option, program } from 'commander';
import { rootFields, wholeOperations } from './costs/operations.mjs';
import { cpuSeconds } from './gateway/process-usage.mjs';
import { prepareFolder } from './gateway/start.mjs';
import { positive } from './positive-number.mjs';

const testing = createRequire(import.meta.url)('../packages/testing/dist/index.js');

/** Each root field is repeated under aliases up to about this cost. */
const targetCost = 200;
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
  LOG_LEVEL: 'silent',
});
process.once('exit', () => {
  service.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const aliased = (count, field) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field(index)}`).join(' ')} }`;
const candidates = [
  ...Object.entries(rootFields).map(([name, field]) => ({ name, field })),
  ...Object.entries(wholeOperations).map(([name, query]) => ({ name, query })),
  ...testing.knownOperations().map(({ name, query, variables }) => ({ name, query, variables })),
].filter(({ name }) => name.includes(options.only ?? ''));

const measured = [];
for (const { name, field, query: whole, variables } of candidates) {
  const copies = field ? await copiesFor(field) : 1;
  const query = field ? aliased(copies, field) : whole;
  const row = { name: copies > 1 ? `${copies} x ${name}` : name, ...(await measure(query, variables)) };
  measured.push(row);
  console.log(cells(row).join('  '));
}
const comparable = measured.filter(({ cost, cpuMs }) => cost >= compared.min && cost <= compared.max && cpuMs !== null);
const perCost = comparable.map(({ cost, cpuMs }) => cpuMs / cost).sort((a, b) => a - b);
const [least = 0, most = 0] = [perCost.at(0), perCost.at(-1)];
const summary = `${comparable.length} operations cost ${compared.min} to ${compared.max} and are executed. They take ${least.toFixed(3)} to ${most.toFixed(3)} ms of CPU per point of cost: the quotient is ${(most / least).toFixed(1)}.`;
console.log(`\n${summary}`);
if (options.output) writeFileSync(options.output, table());
service.child.kill('SIGTERM');
await service.ended;

/** Sends an operation. Resolves with its cost, and with its errors. */
async function send(query, variables) {
  const response = await testing.send(`${service.origin}/graphql`, {
    headers: [...testing.graphqlHeaders(token), 'Lectern-Report', 'cost'],
    body: JSON.stringify({ query, variables }),
  });
  const { errors = [], extensions } = response.json();
  return { cost: extensions?.cost?.complexity ?? null, errors, bytes: response.text.length };
}

async function copiesFor(field) {
  const [one, two] = [await send(aliased(1, field)), await send(aliased(11, field))];
  const each = (two.cost - one.cost) / 10;
  return Math.max(1, Math.floor(targetCost / each));
}

/** Measures the first request, for which the document is prepared, and then requests until they took enough CPU. */
async function measure(query, variables) {
  const pids = [service.child.pid];
  const first = await send(query, variables);
  const code = first.errors[0]?.extensions?.code ?? null;
  const isRejected = first.errors.some(({ path }) => path === undefined);
  let index = 0;
  const cpuOf = async (make) => {
    const start = cpuSeconds(pids) ?? 0;
    let used = 0;
    let requests = 0;
    while (used < options.seconds && requests < 400) {
      for (let batch = 0; batch < 3; batch += 1, requests += 1) await send(make(), variables);
      used = (cpuSeconds(pids) ?? 0) - start;
    }
    return (1_000 * used) / requests;
  };
  if (isRejected) return { cost: first.cost, code, bytes: first.bytes, cpuMs: null, newMs: null };
  const cpuMs = await cpuOf(() => query);
  const newMs = await cpuOf(() => `${query} # ${(index += 1)}`);
  return { cost: first.cost, code, bytes: first.bytes, cpuMs, newMs };
}

function cells({ name, cost, code, bytes, cpuMs, newMs }) {
  const format = (value, digits) => (value === null ? '-' : value.toFixed(digits));
  return [
    name,
    cost ?? '-',
    format(cpuMs, 1),
    format(cpuMs === null ? null : cpuMs / cost, 3),
    format(newMs, 1),
    Math.ceil(bytes / 1_000),
    code ?? '',
  ];
}

function table() {
  const head = ['operation', 'cost', 'CPU, ms', 'CPU per cost', 'CPU of a new document, ms', 'response, kB', 'error'];
  const rows = [head, ['---', ...Array(5).fill('---:'), '---'], ...measured.map(cells)];
  return `# Results of \`node bench/costs.mjs\`\n\nGenerated by the benchmark.\n\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n\n${summary}\n`;
}
