// Measures the embedded service with 3, 10, 100 and 1,000 translations: node bench/many-translations.mjs
// Needs `npm run build`, `npm run data`, Linux, and 28 MB of disk for each translation. README.md explains the method.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cpuSeconds } from './gateway/process-usage.mjs';
import {
  defaultIdentifiers,
  identifiersOf,
  linkTranslations,
  makeTranslations,
  sizeOf,
  usfxOfEngWeb,
} from './many-translations/make-translations.mjs';

if (process.argv.length > 2) {
  console.error('This benchmark has no arguments. Its settings are environment variables, listed in the file.');
  process.exit(2);
}
if (process.platform !== 'linux') throw new Error('This benchmark reads memory from /proc, so it needs Linux');
const require = createRequire(import.meta.url);
const { cleanEnv, num, str } = require('envalid');
const { openKeys, readPepper } = require('../packages/keys/dist/index.js');
const { processOptions } = require('../packages/serving/dist/index.js');
const { createRandom, spawnProcess, startMeasuredProcess } = require('../packages/testing/dist/index.js');

const settings = cleanEnv(process.env, {
  SIZES: str({ default: '10,100,1000', desc: 'The numbers of translations, compared with three.' }),
  DISTINCT: num({ default: 9, desc: 'How many synthetic translations are imported. The others are copies of these.' }),
  REQUESTS: num({ default: 10_000, desc: 'The requests spread over the translations by Zipf.' }),
  ROUNDS: num({ default: 5, desc: 'How many times each operation is measured on warm translations.' }),
  STARTS: num({ default: 3, desc: 'How many pairs of services are started and compared.' }),
  ROUND_REQUESTS: num({ default: 1_000, desc: 'The requests of one such round.' }),
  IMPORTS: num({ default: 5, desc: 'How many times the import of one more translation is measured.' }),
  CONNECTIONS: num({ default: 4, desc: 'The number of connections.' }),
  SEMANTIC_TRANSLATIONS: str({ default: 'spa-rv1909', desc: 'The translations with semantic search.' }),
  LECTERN_DATA: str({ default: 'data', desc: 'The data folder with the default translations.' }),
  TRANSLATIONS_FOLDER: str({
    default: join(tmpdir(), 'lectern-many-translations'),
    desc: 'The folder of the translations, which is kept.',
  }),
});

const sizes = settings.SIZES.split(',').map(Number);
const allTranslations = join(settings.TRANSLATIONS_FOLDER, 'all');
mkdirSync(allTranslations, { recursive: true });
// The data folders hold hard links to the synthetic translations, so they must be on the same disk.
const folder = mkdtempSync(join(settings.TRANSLATIONS_FOLDER, 'run-'));
const children = new Set();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const agent = new Agent({ keepAlive: true, maxSockets: settings.CONNECTIONS });
const random = createRandom(20_261_122);
const pick = (list) => list[Math.floor(random() * list.length)];
const words = ['a', 'the', 'de', 'love', 'king', 'water', 'house', 'amor', 'rey', 'agua', 'casa', 'dios', 'god', 'day'];

/**
 * Functions that build an operation for a translation, by name. The words are frequent in the default
 * translations, and some are rare in synthetic translations.
 *
 * @type {Record<string, (translation: string) => { query: string, variables: object }>}
 */
const operations = {
  verse: (translation) => ({
    query:
      'query($t: String, $c: Int!) { verse(book: "PSA", chapter: $c, verse: 1, translation: $t) { reference text } }',
    variables: { t: translation, c: 1 + Math.floor(random() * 150) },
  }),
  search: (translation) => ({
    query: 'query($t: String, $q: String!) { search(query: $q, limit: 10, translation: $t) { reference text } }',
    variables: { t: translation, q: pick(words) },
  }),
  concordance: (translation) => ({
    query:
      'query($t: String!, $q: String!) { concordance(translation: $t, word: $q, first: 10) { totalCount edges { node { context } } } }',
    variables: { t: translation, q: pick(words) },
  }),
};

/** Sends one request. Resolves with its milliseconds. Rejects if the response has errors. */
const send = ({ url, token }, body) =>
  new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const json = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'content-length': Buffer.byteLength(json),
    };
    const outgoing = request(url, { method: 'POST', agent, headers }, (incoming) => {
      const chunks = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if (incoming.statusCode !== 200 || text.includes('"errors"')) reject(new Error(text));
        else resolve(performance.now() - startedAt);
      });
    });
    outgoing.on('error', reject);
    outgoing.end(json);
  });

/** Sends the requests over all connections. Resolves with the milliseconds of each request and the rate per second. */
async function load(service, bodies) {
  const waiting = bodies.entries();
  const times = [];
  const startedAt = performance.now();
  const connection = async () => {
    for (const [index, body] of waiting) times[index] = await send(service, body);
  };
  await Promise.all(Array.from({ length: settings.CONNECTIONS }, connection));
  return { times, perSecond: (bodies.length * 1_000) / (performance.now() - startedAt) };
}

const percentile = (times, share) => [...times].sort((a, b) => a - b)[Math.ceil(times.length * share) - 1];
const median = (values) => percentile(values, 0.5);
const ms = (value) => `${value.toFixed(1)} ms`;

/**
 * Formats the resident memory of a process, and how much of it is mapped files. The operating system
 * can reclaim the memory of files when needed.
 */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name) => (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_000).toFixed(0);
  return `${megabytes('VmRSS')} MB (${megabytes('RssFile')} MB of files)`;
}

/** The number of starts so far. It is in the name of the data folder, so that each start has its own. */
let starts = 0;

/** Starts the service with the first `count` translations. `seconds` is the time until it is ready. */
async function start(count) {
  starts += 1;
  const dataDir = join(folder, `${count}-${starts}`);
  await linkTranslations({ folder: dataDir, dataDir: allTranslations, count });
  const pepper = readPepper({ setting: undefined, file: join(dataDir, 'key-pepper') });
  const keys = openKeys({ file: join(dataDir, 'keys.sqlite'), pepper });
  const { token } = await keys.issue({ email: 'bench@localhost', name: 'bench', environment: 'test' }, 'bench');
  await keys.close();
  const startedAt = performance.now();
  const { child, origin, ended, longestDelay } = await startMeasuredProcess('packages/standalone/dist/main.js', {
    NODE_ENV: 'production',
    LECTERN_DATA: dataDir,
    RESPONSE_CACHE_BYTES: '0',
    RATE_PER_MINUTE: '0',
    KEY_RATE_PER_MINUTE: '0',
    RATE_PER_DAY: '0',
    SEMANTIC_TRANSLATIONS: settings.SEMANTIC_TRANSLATIONS,
    OFFLINE_TRANSLATIONS: '',
    PRELOAD_PARSER: 'true',
    // The variables with which `npm start` starts the process if MEMORY_MB is not set.
    ...processOptions(null, {}).env,
  });
  children.add(child);
  const seconds = (performance.now() - startedAt) / 1_000;
  await new Promise((done) => setTimeout(done, 3_000));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    children.delete(child);
  };
  return {
    count,
    dataDir,
    pid: child.pid,
    longestDelay,
    stop,
    token,
    url: `${origin}/graphql`,
    seconds,
    idle: memoryOf(child.pid),
  };
}

/**
 * Measures how much longer the first request to a translation takes than the second, how much more
 * CPU time the service needs for it, and how long it blocks the event loop. The CPU time hardly depends on the other
 * load of the machine.
 */
async function measureCold(service) {
  const lines = [];
  for (const [name, operation] of Object.entries(operations)) {
    const bodies = identifiersOf(service.count).slice(3, 23).map(operation);
    if (bodies.length === 0) continue;
    const rounds = [];
    for (let round = 0; round < 2; round += 1) {
      const cpuBefore = cpuSeconds([service.pid]) ?? 0;
      const times = [];
      for (const body of bodies) times.push(await send(service, body));
      rounds.push({ times, cpu: (cpuSeconds([service.pid]) ?? 0) - cpuBefore });
    }
    const [first, second] = rounds;
    const extra = first.times.map((time, index) => time - second.times[index]);
    const cpu = ((first.cpu - second.cpu) * 1_000) / bodies.length;
    // The event loop is measured with other translations, because its measurement would lengthen the times above.
    const delays = [];
    for (const body of identifiersOf(service.count).slice(23, 33).map(operation))
      delays.push(await service.longestDelay(() => send(service, body)));
    const blocked =
      delays.length === 0 ? '' : `, event loop blocked for ${ms(median(delays))} to ${ms(Math.max(...delays))}`;
    lines.push(`${name} ${ms(median(extra))} (max ${ms(Math.max(...extra))}, CPU ${ms(cpu)}${blocked})`);
  }
  return lines.join(', ');
}

/**
 * The number of first rounds, which open the files and let V8 compile the code. Their results are
 * left out.
 */
const warmUpRounds = 3;

/**
 * Measures the operations of a service with many translations and of a service with three, in alternating
 * rounds. All requests are for the three default translations. Resolves with the results of both services.
 */
async function measureWarm(service, three) {
  const results = {};
  for (const [name, operation] of Object.entries(operations)) {
    const rounds = { service: [], three: [] };
    const services = Object.entries({ service, three });
    for (let round = -warmUpRounds; round < settings.ROUNDS; round += 1)
      for (const [key, each] of round % 2 === 0 ? services : services.toReversed()) {
        const bodies = Array.from({ length: settings.ROUND_REQUESTS }, () => operation(pick(defaultIdentifiers)));
        const cpuBefore = cpuSeconds([each.pid]) ?? 0;
        const measured = await load(each, bodies);
        const cpuMs = (((cpuSeconds([each.pid]) ?? 0) - cpuBefore) * 1_000) / bodies.length;
        if (round >= 0) rounds[key].push({ ...measured, cpuMs });
      }
    const summary = (list) => {
      // Percentiles are computed over all rounds: in a single round, a pause of a millisecond decides the p99.
      const times = list.flatMap((round) => round.times);
      return {
        perSecond: median(list.map(({ perSecond }) => perSecond)),
        cpuMs: list.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / list.length,
        p99: percentile(times, 0.99),
      };
    };
    results[name] = { service: summary(rounds.service), three: summary(rounds.three) };
  }
  return results;
}

/**
 * Sends each operation 20 times: to up to 20 translations beside the defaults, or to the defaults
 * if there are no others. Both services of a pair get the same operations, because V8 makes `verse`
 * 6 % cheaper in a process that has executed no other operation.
 */
async function openOthers(service) {
  const others = identifiersOf(service.count).slice(3, 23);
  const identifiers = others.length > 0 ? others : defaultIdentifiers;
  for (const operation of Object.values(operations))
    for (let sent = 0; sent < 20; sent += 1) await send(service, operation(identifiers[sent % identifiers.length]));
}

/**
 * Compares a service of many translations with one of three, operation by operation. Starts several
 * such pairs, because the rates of two starts of the same service differ by up to a fifth. `service`
 * and `three` are the first pair. Returns a line for each operation.
 */
async function compareWarm(service, three) {
  const measurePair = async (pair) => {
    for (const each of pair) await openOthers(each);
    return measureWarm(...pair);
  };
  const pairs = [await measurePair([service, three])];
  while (pairs.length < settings.STARTS) {
    const pair = [await start(service.count), await start(3)];
    pairs.push(await measurePair(pair));
    for (const each of pair) await each.stop();
  }
  return Object.keys(operations).map((name) => {
    const value = (key) => median(pairs.map((pair) => pair[name].service[key]));
    const ratio = (key) => {
      const ratios = pairs.map((pair) => pair[name].service[key] / pair[name].three[key]);
      const mean = Math.exp(ratios.reduce((sum, each) => sum + Math.log(each), 0) / ratios.length);
      return `${mean.toFixed(2)} of three (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`;
    };
    return `${name.padEnd(12)} ${value('perSecond').toFixed(0)} requests/s, ${ratio('perSecond')}; CPU ${value('cpuMs').toFixed(3)} ms, ${ratio('cpuMs')}; p99 ${ms(value('p99'))}, ${ratio('p99')}`;
  });
}

/** Sends requests that are spread over the translations by Zipf: the translation of rank r gets a share of 1/r. */
async function loadByZipf(service) {
  const identifiers = identifiersOf(service.count);
  const weights = identifiers.map((_, index) => 1 / (index + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const draw = () => {
    let left = random() * total;
    return identifiers[weights.findIndex((weight) => (left -= weight) <= 0)] ?? identifiers[0];
  };
  const names = Object.keys(operations);
  const kinds = Array.from({ length: settings.REQUESTS }, () => pick(names));
  const { times, perSecond } = await load(
    service,
    kinds.map((name) => operations[name](draw())),
  );
  const lines = names.map((name) => {
    const own = times.filter((_, index) => kinds[index] === name);
    return `${name} p50 ${ms(percentile(own, 0.5))} p99 ${ms(percentile(own, 0.99))}`;
  });
  return `${perSecond.toFixed(0)} requests/s; ${lines.join(', ')}`;
}

/** Adds a Bible to the service's data with `npm run corpus -- import`, and removes it. Resolves with the seconds. */
async function measureImport({ dataDir }) {
  const file = join(folder, 'eng-added.usfx');
  writeFileSync(file, usfxOfEngWeb(allTranslations));
  const env = { LECTERN_DATA: dataDir, SEMANTIC_TRANSLATIONS: '', OFFLINE_TRANSLATIONS: '' };
  const command = async (...args) => {
    const startedAt = performance.now();
    const { ended, output } = spawnProcess('packages/standalone/dist/corpus-main.js', env, args);
    if ((await ended) !== 0) throw new Error(output());
    return (performance.now() - startedAt) / 1_000;
  };
  const seconds = await command('import', file);
  await command('remove', 'eng-added');
  return seconds;
}

/** Measures imports into the data of the service and into data with three translations. Returns a line for the output. */
async function compareImports(service, three) {
  const seconds = { service: [], three: [] };
  for (let round = 0; round < settings.IMPORTS; round += 1)
    for (const [key, each] of Object.entries({ three, service })) seconds[key].push(await measureImport(each));
  return `${median(seconds.service).toFixed(2)} s (${median(seconds.three).toFixed(2)} s beside three)`;
}

const secondsEach = await makeTranslations({
  dataDir: allTranslations,
  sourceDir: resolve(settings.LECTERN_DATA),
  count: Math.max(...sizes),
  distinct: settings.DISTINCT,
  log: (line) => console.log(`  ${line}`),
});
console.log(`${cpus().length} cores, ${cpus()[0].model}, node ${process.version}`);
if (secondsEach !== null) console.log(`import and indexes of one synthetic translation: ${secondsEach.toFixed(1)} s`);
const weighed = identifiersOf(Math.min(12, Math.max(...sizes)));
const average = weighed.reduce((sum, each) => sum + sizeOf(allTranslations, each), 0) / weighed.length;
console.log(`disk of one translation: ${(average / 1e6).toFixed(1)} MB`);

const three = await start(3);
console.log(`\n3 translations: start ${three.seconds.toFixed(1)} s, idle ${three.idle}`);
for (const size of sizes) {
  const service = await start(size);
  console.log(`\n${size} translations: start ${service.seconds.toFixed(1)} s, idle ${service.idle}`);
  console.log(`  first request to a translation, beyond the second: ${await measureCold(service)}`);
  for (const line of await compareWarm(service, three)) console.log(`  ${line}`);
  console.log(`  ${settings.REQUESTS} requests by Zipf: ${await loadByZipf(service)}`);
  console.log(`  memory afterwards: ${memoryOf(service.pid)}`);
  console.log(`  import of one more: ${await compareImports(service, three)}`);
  await service.stop();
}
await three.stop();
