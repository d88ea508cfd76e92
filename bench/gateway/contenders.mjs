import { join } from 'node:path';

const quiet = { APOLLO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NODE_ENV: 'production', LOG_LEVEL: 'warn' };
// High enough never to be met, and counted all the same.
const rates = { RATE_PER_MINUTE: '999999999', RATE_PER_DAY: '999999999' };
// Lectern keeps answers to give them again, which no peer does: only the contender that says so in its name does it here.
const withoutKept = { RESPONSE_CACHE_BYTES: '0' };
// Questions by meaning are another bench's; the model's memory would hide the rest.
const withoutMeaning = { SEMANTIC_TRANSLATIONS: '' };

/** The first is what the others are compared with, where it takes part. */
export const contenderNames = [
  'apollo',
  'lectern',
  'lectern-embedded',
  'lectern-kept',
  'hive',
  'hive-router',
  'mercurius',
  'json',
];

export const subgraphNames = ['text', 'search', 'concordance'];

/** How to start a subgraph at this port. */
export const subgraphCommand = ({ root, dataDir }, name, port) => ({
  args: [join(root, 'services', name, 'dist', 'main.js')],
  cwd: root,
  env: { ...quiet, ...withoutMeaning, HOST: '127.0.0.1', LECTERN_DATA: dataDir, PORT: String(port) },
});

/**
 * Who is measured. `packages` are the peers' own, of bench/peers; `ofSubgraphs` is false for who does without the subgraphs' processes;
 * `onlyConstant` is true for who is asked only what is asked again and again; `command` says how to start it at a port. `keysDir` holds the key that all of them are shown, and links to the texts.
 */
export function createContenders({ root, dataDir, keysDir, supergraphFile, subgraphUrls }) {
  const peers = join(root, 'bench', 'peers');
  const common = { speaks: 'graphql', packages: [], ofSubgraphs: true, isOurs: false, onlyConstant: false };
  const node = (file, env) => (port) => ({
    args: [file],
    cwd: root,
    env: { ...quiet, ...env, HOST: '127.0.0.1', PORT: String(port) },
  });
  // From the folder of the peers: it would take a file gateway.js of the current folder for its configuration.
  const hive =
    (...more) =>
    (port) => ({
      args: [
        join(peers, 'node_modules', '@graphql-hive', 'gateway', 'dist', 'bin.js'),
        'supergraph',
        supergraphFile,
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        ...more,
      ],
      cwd: peers,
      env: quiet,
    });
  const distributed = { ...rates, LECTERN_DATA: keysDir, SUPERGRAPH: supergraphFile };
  const lectern = join(root, 'gateway', 'dist', 'main.js');
  const all = {
    apollo: {
      title: '@apollo/gateway',
      about: 'behind @apollo/server, both as their documentation sets them up',
      packages: ['@apollo/gateway', '@apollo/server'],
      command: node(join(peers, 'default-gateway.mjs'), { SUPERGRAPH: supergraphFile }),
    },
    lectern: {
      title: 'Lectern, distributed',
      about: 'the gateway as a process of its own, over HTTP; keys in SQLite, rates in memory, no answers kept',
      isOurs: true,
      command: node(lectern, { ...distributed, ...withoutKept }),
    },
    'lectern-embedded': {
      title: 'Lectern, embedded',
      about: 'gateway and subgraphs in one process, as `npm start` runs them, but no answers kept',
      isOurs: true,
      ofSubgraphs: false,
      command: node(join(root, 'packages', 'standalone', 'dist', 'main.js'), {
        ...rates,
        ...withoutKept,
        ...withoutMeaning,
        LECTERN_DATA: keysDir,
      }),
    },
    'lectern-kept': {
      title: 'Lectern, answers kept',
      about:
        'distributed, with its own defaults: what was answered before is answered from memory. Asked different things it is the one above, so it is asked only the same',
      isOurs: true,
      onlyConstant: true,
      command: node(lectern, distributed),
    },
    hive: {
      title: 'Hive Gateway',
      about: 'its own command, one worker, nothing set',
      packages: ['@graphql-hive/gateway'],
      command: hive(),
    },
    'hive-router': {
      title: 'Hive Gateway, router runtime',
      about: 'the same with `--hive-router-runtime`: its query planner in Rust',
      packages: ['@graphql-hive/gateway', '@graphql-hive/router-runtime'],
      command: hive('--hive-router-runtime'),
    },
    mercurius: {
      title: 'Mercurius gateway',
      about: "Federation 1 only: it is given the subgraphs' schemas rewritten into that",
      packages: ['@mercuriusjs/gateway', 'mercurius', 'fastify'],
      command: node(join(peers, 'mercurius.mjs'), { SUBGRAPHS: JSON.stringify(subgraphUrls) }),
    },
    json: {
      title: 'A JSON route',
      about:
        "Fastify over the subgraphs' own SQL and search in one process, without GraphQL: the same look-up of the key and count of its rate",
      packages: ['fastify'],
      speaks: 'json',
      ofSubgraphs: false,
      command: node(join(peers, 'json-route.mjs'), { LECTERN_DATA: dataDir, KEYS: keysDir }),
    },
  };
  return contenderNames.map((name) => ({ name, ...common, ...all[name] }));
}
