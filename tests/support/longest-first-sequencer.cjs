const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

/** The slowest first. Jest prints the duration of each file that takes more than five seconds. */
const longestFirst = [
  'tests/distributed/two-workers.test.ts',
  'tests/worst-case/worst-operations.test.ts',
  'tests/clients/client-libraries.test.ts',
  'tests/telemetry/traces.test.ts',
  'tests/site/page-accessibility.test.ts',
  'tests/site/explorer-browser.test.ts',
  'tests/distributed/restarts.test.ts',
  'tests/distributed/connections-at-stop.test.ts',
  'tests/distributed/subgraph-failures.test.ts',
  'tests/distributed/subgraph-replicas.test.ts',
  'packages/embeddings/src/open-vectors.test.ts',
  'tests/execution/generated-operations.test.ts',
  'tests/containers/host-processes.test.ts',
  'tests/start/npm-start.test.ts',
  'tests/distributed/subgraph-secrets.test.ts',
  'tests/limits/rate-limit-redis.test.ts',
  'packages/corpus/src/sword/mod2imp-layout.test.ts',
  'services/search/src/semantic/build.test.ts',
  'tests/distributed/distributed-graph.test.ts',
  'tests/worst-case/event-loop-delay.test.ts',
  'tests/keys/keys-in-postgresql.test.ts',
  'services/search/src/semantic/query-vectors.test.ts',
  'tests/distributed/supergraph-updates.test.ts',
  'services/search/src/semantic/search.test.ts',
  'tests/clients/graphql-developer-tools.test.ts',
  'packages/canon/src/linear-time.test.ts',
];

const root = join(__dirname, '..', '..');
for (const file of longestFirst)
  if (!existsSync(join(root, file))) throw new Error(`${__filename} lists ${file}, which does not exist`);

/** So no long file runs alone at the end. Jest's own order needs an earlier run. */
module.exports = class LongestFirstSequencer extends TestSequencer {
  /** @param {{ path: string }[]} tests */
  async sort(tests) {
    const rank = ({ path }) => {
      const index = longestFirst.findIndex((file) => path === join(root, file));
      return index === -1 ? longestFirst.length : index;
    };
    const sorted = await super.sort(tests);
    return [...sorted].sort((one, other) => rank(one) - rank(other));
  }
};
