// Searches for the operations that are within all limits, but block the event loop of a service longest:
// node bench/worst-case.mjs --help. README.md explains the search. Needs `npm run build` and `npm run data`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Option, program } from 'commander';
import { subgraphNames } from './gateway/gateways.mjs';
import { prepareFolder } from './gateway/start.mjs';
import { positive } from './positive-number.mjs';

const testing = createRequire(import.meta.url)('../packages/testing/dist/index.js');

const calibrations = 9;
const repetitions = 5;
const targets = ['embedded', ...subgraphNames];

const options = program
  .name('node bench/worst-case.mjs')
  .description(
    'Searches the operations within all limits that block the event loop of a service longest, and prints the worst ten. Ctrl-C ends the search and prints them.',
  )
  .addOption(new Option('--minutes <number>', 'how long to search').argParser(positive).default(60))
  .addOption(
    new Option('--seed <number>', 'the seed of the random choices')
      .argParser(positive)
      .default(1 + Math.floor(Math.random() * 1e6), 'a random number'),
  )
  .addOption(
    new Option('--target <name>', 'the embedded service, or a subgraph, which receives requests for entities')
      .choices(targets)
      .default('embedded'),
  )
  .option('--root-field <name>', 'searches operations that begin with this root field only, such as randomVerse')
  .option('--data <folder>', 'the data folder', 'data')
  .option('--output <file>', 'writes the worst operations as JSON, with complete texts')
  .option('--measure <file>', 'measures the operations of such a file instead of searching')
  .parse()
  .opts();

const folder = mkdtempSync(join(tmpdir(), 'lectern-worst-case-'));
let isStopped = false;
for (const signal of ['SIGINT', 'SIGTERM'])
  process.on(signal, () => {
    if (isStopped) process.exit(130);
    isStopped = true;
    console.log('Stopping. A second signal ends the program at once.');
  });

const token = await prepareFolder(folder, resolve(options.data));
const isEmbedded = options.target === 'embedded';
const service = await testing.startMeasuredProcess(
  isEmbedded ? 'packages/standalone/dist/main.js' : `services/${options.target}/dist/main.js`,
  {
    LECTERN_DATA: folder,
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    // The response cache is off, because a cached response takes no computing time.
    RESPONSE_CACHE_BYTES: '0',
  },
);
process.once('exit', () => {
  service.child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const headers = testing.graphqlHeaders(token);
const max = isEmbedded ? testing.maxClientRequest : testing.maxSubgraphRequest;
const worst = options.measure ? await measureSaved() : await search();
const calibrated = [];
for (let index = 0; index < calibrations; index += 1) calibrated.push(await service.calibrate());
const limit = testing.maxDelayMs(calibrated);
for (const found of worst)
  console.log(`\n${found.delayMs.toFixed(1)} ms, status ${found.status}: ${testing.describeOperation(found)}`);
const tooSlow = worst.filter(({ delayMs }) => delayMs > limit);
console.log(
  `\n${tooSlow.length} of these block the event loop for more than ${limit.toFixed(0)} ms (calibrated for this machine).`,
);
if (options.output) {
  const saved = worst.map(({ delayMs, query, variables }) => ({ delayMs, query, variables }));
  writeFileSync(options.output, `${JSON.stringify(saved, null, 2)}\n`);
  console.log(`The complete operations are in ${options.output}.`);
}
await service.stop();
process.exitCode = tooSlow.length > 0 ? 1 : 0;

async function search() {
  const rootField = isEmbedded ? options.rootField : '_entities';
  const endsAt = Date.now() + options.minutes * 60_000;
  console.log(`Searching for ${options.minutes} minutes with seed ${options.seed}`);
  const { worst, measured } = await testing.searchWorstOperations({
    service,
    headers,
    seed: options.seed,
    continues: () => !isStopped && Date.now() < endsAt,
    max,
    ...(rootField && { rootFields: [`Query.${rootField}`] }),
    onFound: ({ delayMs, rootField }) => console.log(`${rootField.padEnd(20)} ${delayMs.toFixed(1).padStart(7)} ms`),
  });
  console.log(`${measured} operations measured`);
  return worst;
}

async function measureSaved() {
  const meter = testing.createOperationMeter({ service, headers, maxBodyBytes: max.bytes });
  const measured = [];
  for (const operation of JSON.parse(readFileSync(options.measure, 'utf8')))
    measured.push({ ...operation, ...(await meter.measure(operation, repetitions)) });
  return measured.sort((one, other) => other.delayMs - one.delayMs);
}
