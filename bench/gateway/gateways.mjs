import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSubgraphs } from '../../scripts/schema/compose-subgraphs.mjs';
import { createRouterPrograms } from './compiled-router-commands.mjs';

const { processOptionsFromEnv } = createRequire(import.meta.url)('../../packages/serving/dist/index.js');

/** The options with which `npm start` starts Lectern's processes. */
const startOptions = processOptionsFromEnv(process.env);

const commonEnv = { APOLLO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NODE_ENV: 'production', LOG_LEVEL: 'warn' };
// Lectern's rate limits are on, as in production, but so high that they are never reached.
const highRateLimits = {
  RATE_PER_MINUTE: '999999999',
  KEY_RATE_PER_MINUTE: '999999999',
  RATE_PER_DAY: '999999999',
};
// The gateways of others cache no responses. Therefore only `lectern-cached` has a response cache here.
const noResponseCache = { RESPONSE_CACHE_BYTES: '0' };
// Semantic search has its own benchmark. The memory of its model would hide other differences.
const noSemanticSearch = { SEMANTIC_TRANSLATIONS: '' };

/** The names of all gateways. The report compares the measured gateways with the first of them in this list. */
export const gatewayNames = [
  'apollo',
  'lectern',
  'lectern-embedded',
  'lectern-cached',
  'hive-router',
  'apollo-router',
  'cosmo-router',
  'hive-gateway',
  'hive-gateway-runtime',
  'mercurius',
  'json',
];

const supergraphConfig = fileURLToPath(new URL('../../supergraph.yaml', import.meta.url));

/** The names of the subgraphs in supergraph.yaml. */
export const subgraphNames = readSubgraphs(supergraphConfig).map(({ name }) => name);

/** Returns the command that starts a subgraph at this port. */
export const subgraphCommand = ({ root, dataDir }, name, port) => ({
  args: [...startOptions.execArgv, join(root, 'services', name, 'dist', 'main.js')],
  cwd: root,
  env: {
    ...commonEnv,
    ...startOptions.env,
    ...noSemanticSearch,
    HOST: '127.0.0.1',
    LECTERN_DATA: dataDir,
    PORT: String(port),
    OFFLINE_PORT: '0',
  },
});

/**
 * Lists the gateways to measure, with these properties:
 * - `command` returns the command that starts the gateway at a port;
 * - `protocol` is `graphql` or `json`;
 * - `packages` are the packages of bench/other-gateways that the gateway needs;
 * - `isLectern` is true for Lectern's own gateways;
 * - `setting` is the environment variable with the path of a router's program, and `program` its value;
 * - `usesSubgraphs` is false if the gateway runs without the subgraph processes;
 * - `constantOnly` limits the gateway to `-constant` operations.
 *
 * `keysDir` contains the API key that all requests send, and links to the data.
 */
export function createGateways({ root, dataDir, keysDir, supergraphFile, subgraphUrls }) {
  const otherGateways = join(root, 'bench', 'other-gateways');
  const common = {
    protocol: 'graphql',
    packages: [],
    setting: null,
    program: process.execPath,
    usesSubgraphs: true,
    isLectern: false,
    constantOnly: false,
  };
  const node = (file, env) => (port) => ({
    args: [file],
    cwd: root,
    env: { ...commonEnv, ...env, HOST: '127.0.0.1', PORT: String(port) },
  });
  const lecternProcess = (file, env) => (port) => {
    const command = node(file, { ...startOptions.env, ...env })(port);
    return { ...command, args: [...startOptions.execArgv, ...command.args] };
  };
  // Hive Gateway runs in another folder, because it reads a file gateway.js of the current folder as its configuration.
  const hive =
    (...more) =>
    (port) => ({
      args: [
        join(otherGateways, 'node_modules', '@graphql-hive', 'gateway', 'dist', 'bin.js'),
        'supergraph',
        supergraphFile,
        '--host',
        '127.0.0.1',
        '--port',
        String(port),
        ...more,
      ],
      cwd: otherGateways,
      env: commonEnv,
    });
  const distributed = { ...highRateLimits, LECTERN_DATA: keysDir, SUPERGRAPH: supergraphFile };
  const lectern = join(root, 'gateway', 'dist', 'main.js');
  const all = {
    apollo: {
      title: '@apollo/gateway',
      about: 'behind @apollo/server, both set up as in their documentation',
      packages: ['@apollo/gateway', '@apollo/server'],
      command: node(join(otherGateways, 'apollo-gateway.mjs'), { SUPERGRAPH: supergraphFile }),
    },
    lectern: {
      title: 'Lectern, distributed',
      about: 'the gateway as its own process, over HTTP; keys in SQLite, rate limits in memory, no response cache',
      isLectern: true,
      command: lecternProcess(lectern, { ...distributed, ...noResponseCache }),
    },
    'lectern-embedded': {
      title: 'Lectern, embedded',
      about: 'gateway and subgraphs in one process, as `npm start` runs them, but without the response cache',
      isLectern: true,
      usesSubgraphs: false,
      command: lecternProcess(join(root, 'packages', 'standalone', 'dist', 'main.js'), {
        ...highRateLimits,
        ...noResponseCache,
        ...noSemanticSearch,
        LECTERN_DATA: keysDir,
      }),
    },
    'lectern-cached': {
      title: 'Lectern, with response cache',
      about:
        'distributed, with default settings, so repeated requests are answered from the response cache. Measured only with `-constant` operations; otherwise it equals `lectern`',
      isLectern: true,
      constantOnly: true,
      command: lecternProcess(lectern, distributed),
    },
    ...createRouterPrograms({ root, folder: keysDir, supergraphFile, subgraphUrls }),
    'hive-gateway': {
      title: 'Hive Gateway',
      about: 'its own command, one worker, default settings',
      packages: ['@graphql-hive/gateway'],
      command: hive(),
    },
    'hive-gateway-runtime': {
      title: 'Hive Gateway, router runtime',
      about: 'with `--hive-router-runtime`, its query planner in Rust',
      packages: ['@graphql-hive/gateway', '@graphql-hive/router-runtime'],
      command: hive('--hive-router-runtime'),
    },
    mercurius: {
      title: 'Mercurius gateway',
      about: "supports only Federation 1, so it receives the subgraphs' schemas rewritten for Federation 1",
      packages: ['@mercuriusjs/gateway', 'mercurius', 'fastify'],
      command: node(join(otherGateways, 'mercurius.mjs'), { SUBGRAPHS: JSON.stringify(subgraphUrls) }),
    },
    json: {
      title: 'A JSON route',
      about:
        "Fastify over the subgraphs' own SQL and search in one process, without GraphQL, with the same API key check and rate limit",
      packages: ['fastify'],
      protocol: 'json',
      usesSubgraphs: false,
      command: node(join(otherGateways, 'json-routes.mjs'), { LECTERN_DATA: dataDir, KEYS: keysDir }),
    },
  };
  return gatewayNames.map((name) => ({ name, ...common, ...all[name] }));
}
