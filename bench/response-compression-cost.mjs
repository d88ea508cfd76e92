// Measures what compressed responses cost and save: node bench/response-compression-cost.mjs
// Sends the same operations to the whole service in one process, in alternating rounds: without
// Accept-Encoding, with br and with gzip. Measures with and without the response cache.
// Settings: ROUNDS, SECONDS, CONNECTIONS. Needs `npm run build`, `npm run data` and Linux.
import { cpus } from 'node:os';
import { measureCpu, median, openServiceBenchmark } from './gateway/measure-cpu.mjs';

const { token, rounds, seconds, connections, start, close } = await openServiceBenchmark();

const operations = {
  verse: '{ verse(book: "JHN", chapter: 3, verse: 16) { reference text } }',
  chapter: '{ chapter(book: "JHN", chapter: 3) { id bookName chapter verse text } }',
  'all psalms': '{ passage(reference: "Psalms") { verses { text } } }',
};
const encodings = [null, 'br', 'gzip'];

/** Returns the number of bytes of the response's body. */
async function bytesOf({ url }, query, encoding) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'accept-encoding': encoding ?? 'identity',
    },
    body: JSON.stringify({ query }),
  });
  await response.arrayBuffer();
  return Number(response.headers.get('content-length'));
}

/** Resolves with the CPU milliseconds of the service per request. */
const measure = (service, query, encoding) =>
  measureCpu(service, {
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      ...(encoding !== null && { 'accept-encoding': encoding }),
    },
    body: { query },
    connections,
    seconds,
  });

/** Measures an operation with each encoding and prints the ratios to the responses without compression. */
async function compare(service, name, query) {
  const measured = await Promise.all(
    encodings.map(async (encoding) => ({
      encoding,
      cpu: /** @type {number[]} */ ([]),
      bytes: await bytesOf(service, query, encoding),
    })),
  );
  for (const { encoding } of measured) await measure(service, query, encoding);
  for (let round = 0; round < rounds; round += 1)
    // Each round begins with another encoding, so that a slow moment of the machine affects all of them.
    for (let step = 0; step < measured.length; step += 1) {
      const each = measured[(round + step) % measured.length];
      each.cpu.push(await measure(service, query, each.encoding));
    }
  const [plain, ...compressed] = measured;
  console.log(`  ${name}: ${plain.bytes} bytes, ${median(plain.cpu).toFixed(3)} ms of CPU`);
  for (const { encoding, cpu, bytes } of compressed) {
    const ratios = cpu.map((each, round) => each / plain.cpu[round]);
    console.log(
      `    ${encoding?.padEnd(4)} bytes ${(bytes / plain.bytes).toFixed(3)}   CPU ${median(ratios).toFixed(2)} [${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}]`,
    );
  }
}

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections. Ratios to responses without compression: median [lowest, highest].`,
  );
  const services = [
    ['every response is executed and compressed', await start({ RESPONSE_CACHE_BYTES: '0' })],
    ['every response is cached', await start({})],
  ];
  for (const [title, service] of services) {
    console.log(title);
    for (const [name, query] of Object.entries(operations)) await compare(service, name, query);
  }
} finally {
  await close();
}
