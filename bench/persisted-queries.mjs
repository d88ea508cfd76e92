// Measures what a hash or an id saves compared with the text of a query: node bench/persisted-queries.mjs
// Sends the same operations to the whole service in one process, in alternating rounds: as a query, as
// the hash of a persisted query, and as the id of a trusted document. Measures with and without the
// response cache. Settings: ROUNDS, SECONDS, CONNECTIONS.
// Needs `npm run build`, `npm run data` and Linux.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { measureCpu, median, openServiceBenchmark } from './gateway/measure-cpu.mjs';

const { folder, token, rounds, seconds, connections, start, close } = await openServiceBenchmark();

const hashOf = (query) => createHash('sha256').update(query).digest('hex');
const passages = Array.from(
  { length: 22 },
  (_, index) =>
    `p${index}: passage(reference: "John 3:${index + 1}") { reference text translationId translationName translationNote verses { bookId bookName chapter verse text } }`,
);
const search =
  'query P($word: String!) { searchVerses(query: $word, translation: "eng-web") { totalCount edges { cursor matches { start length } node { id bookName chapter verse text reference } } facets { byBook { bookId count } byTestament { old new } } pageInfo { hasNextPage endCursor } } }';
const operations = {
  'one verse': { query: '{ verse(book: "JHN", chapter: 3, verse: 16) { reference text } }' },
  'a page of search results': { query: search, variables: { word: 'shepherd' } },
  '22 passages': { query: `{ ${passages.join(' ')} }` },
};
/** The manifest: a JSON file with the trusted documents by id. */
const manifest = join(folder, 'manifest.json');
writeFileSync(
  manifest,
  JSON.stringify(Object.fromEntries(Object.entries(operations).map(([id, { query }]) => [id, query]))),
);

/** Functions that build a request without the text of the query: with its hash, or with the id of its document. */
const forms = {
  hash: ({ query, variables }) => ({
    variables,
    extensions: { persistedQuery: { version: 1, sha256Hash: hashOf(query) } },
  }),
  id: ({ variables }, id) => ({ variables, documentId: id }),
};

const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };

/** Sends one request. Throws if the response has an error. */
async function send({ url }, body) {
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) });
  const { errors } = /** @type {any} */ (await response.json());
  if (errors) throw new Error(JSON.stringify(errors));
}

/** Resolves with the CPU milliseconds of the service per request. */
const measure = (service, body) => measureCpu(service, { headers, body, connections, seconds });

/** Measures an operation as a query and as a short request, and prints the ratios of the short request to the query. */
async function compare(service, form, name, operation) {
  const short = forms[form](operation, name);
  if (form === 'hash') await send(service, { ...short, query: operation.query });
  const measured = [operation, short].map((body) => ({ body, cpu: /** @type {number[]} */ ([]) }));
  for (const { body } of measured) {
    await send(service, body);
    await measure(service, body);
  }
  for (let round = 0; round < rounds; round += 1)
    // Every other round begins with the other form, so that a slow moment of the machine affects both.
    for (const each of round % 2 === 0 ? measured : measured.toReversed())
      each.cpu.push(await measure(service, each.body));
  const [query, shorter] = measured;
  const bytesOf = ({ body }) => Buffer.byteLength(JSON.stringify(body));
  const ratios = shorter.cpu.map((cpu, round) => cpu / query.cpu[round]);
  console.log(
    `  ${form.padEnd(4)} of ${name} (a query of ${bytesOf(query)} bytes, ${median(query.cpu).toFixed(3)} ms of CPU): bytes ${(bytesOf(shorter) / bytesOf(query)).toFixed(2)}, CPU ${median(ratios).toFixed(2)} [${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}]`,
  );
}

try {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model}, Node ${process.version}; ${rounds} rounds of ${seconds} s, ${connections} connections. Ratios to the text of the query: median [lowest, highest].`,
  );
  for (const [title, cacheBytes] of [
    ['every response is executed', '0'],
    ['every response is cached', '32000000'],
  ]) {
    console.log(title);
    for (const [form, location] of Object.entries({ hash: '', id: manifest })) {
      const service = await start({ RESPONSE_CACHE_BYTES: cacheBytes, TRUSTED_DOCUMENTS: location });
      for (const [name, operation] of Object.entries(operations)) await compare(service, form, name, operation);
    }
  }
} finally {
  await close();
}
