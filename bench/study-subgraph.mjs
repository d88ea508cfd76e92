// Measures topics, cross references and commentaries in the study subgraph, without HTTP, and the
// time to build the data of the reference works: node bench/study-subgraph.mjs
// Needs `npm run build` and `npm run data`. Setting: ROUNDS.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyTextDatabases } from './copy-translations.mjs';

const require = createRequire(import.meta.url);
const { buildStudyData, createStudySubgraph } = require('../services/study/dist/index.js');
const { executeInProcess } = require('../packages/subgraph/dist/index.js');
const { silentLogger } = require('../packages/serving/dist/index.js');

const dataDir = join(dirname(fileURLToPath(import.meta.url)), '..', 'data');
const rounds = Number(process.env.ROUNDS ?? 1_000);

const subgraph = createStudySubgraph({ dataDir });
const execute = executeInProcess(subgraph, silentLogger);

/** The ids of verses of the Gospels, the Psalms and Isaiah. The rounds use these verses in turn. */
const verseIds = ['MAT', 'MRK', 'LUK', 'JHN', 'PSA', 'ISA'].flatMap((book) =>
  Array.from({ length: 160 }, (_, index) =>
    Buffer.from(`v1:eng-web.${book}.${1 + (index % 16)}.${1 + Math.floor(index / 16)}`).toString('base64url'),
  ),
);
const ofVerse = (selection) => (round) => ({
  query: `query V($r: [_Any!]!) { _entities(representations: $r) { ... on Verse { id ${selection} } } }`,
  variables: { r: [{ __typename: 'Verse', id: verseIds[round % verseIds.length] }] },
});
const page = '{ totalCount edges { cursor node { id name verseCount } } pageInfo { hasNextPage endCursor } }';
const words = ['faith', 'prayer', 'love', 'sin', 'hope', 'kings', 'temple', 'forgiveness', 'wisdom', 'war'];
const names = ['FAITH', 'AARON', 'PRAYER', 'DAVID', 'ABBA', 'WISDOM', 'ANGEL (a spirit)', 'SIN'];

/** @type {[name: string, request: (round: number) => { query: string, variables: Record<string, unknown> }][]} */
const cases = [
  [
    'a page of topics by words',
    (round) => ({
      query: `query T($q: String) { topics(query: $q) ${page} }`,
      variables: { q: words[round % words.length] },
    }),
  ],
  [
    'a page of all topics',
    (round) => ({
      query: `query A($after: String) { topics(first: 20, after: $after) ${page} }`,
      variables: { after: Buffer.from(`t${(round * 20) % 5_300}`).toString('base64url') },
    }),
  ],
  [
    'a topic with its entries',
    (round) => ({
      query:
        'query N($name: String!) { topic(name: $name) { name sections { heading entries { text references { reference verseCount } } } seeAlso { name } } }',
      variables: { name: names[round % names.length] },
    }),
  ],
  ['10 topics of a verse', ofVerse('topics { topic { id name } section entry }')],
  ['10 cross references of a verse', ofVerse('crossReferences { reference verses { id } sources { id title } }')],
  [
    '5 notes on a verse',
    ofVerse('commentary { commentary { id } reference heading text references { start length target { reference } } }'),
  ],
];

const percentile = (list, share) => list[Math.min(list.length - 1, Math.floor(list.length * share))].toFixed(2);

// The cases are measured in turn, so that a slow moment of the machine affects all of them.
const times = cases.map(() => /** @type {number[]} */ ([]));
for (let round = -50; round < rounds; round += 1) {
  for (const [which, [, request]] of cases.entries()) {
    const body = request(round + 50);
    const began = performance.now();
    const { errors } = await execute(body);
    if (round >= 0) times[which]?.push(performance.now() - began);
    if (errors) throw new Error(JSON.stringify(errors));
  }
}
console.log(`${cpus()[0]?.model ?? ''}, node ${process.version}, ${rounds} rounds`);
for (const [which, [name]] of cases.entries()) {
  const sorted = (times[which] ?? []).sort((a, b) => a - b);
  console.log(`  ${name}: p50 ${percentile(sorted, 0.5)} ms, p99 ${percentile(sorted, 0.99)} ms`);
}
subgraph.close();

const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-'));
try {
  copyTextDatabases(dataDir, folder);
  const began = performance.now();
  await buildStudyData({
    dataDir: folder,
    log: (line) => void (/does not resolve/.test(line) || console.log(`  ${line}`)),
    env: {
      ...process.env,
      SWORD_PATH: readdirSync(join(dataDir, 'sources'))
        .map((name) => join(dataDir, 'sources', name))
        .join(delimiter),
    },
  });
  console.log(`  built in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
