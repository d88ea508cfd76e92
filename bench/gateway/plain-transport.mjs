// Lectern's gateway with a plain subgraph transport: no gateway token, deadline, retry, circuit breaker or metrics.
// bench/request-overhead.mjs compares other settings with this gateway.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(join(fileURLToPath(import.meta.url), '..', '..', '..', 'gateway', 'package.json'));
const { Pool } = require('undici');
const { cleanEnv } = require('envalid');
const { gatewayOptions, settings, startGateway, transportWithoutReplicas } = require('@lectern/gateway');
const { openKeysFromSettings, readPepper } = require('@lectern/keys');
const { createLogger } = require('@lectern/serving');

const headers = { 'content-type': 'application/json', accept: 'application/json' };

const config = cleanEnv(process.env, settings);
const log = createLogger({ service: 'gateway', level: config.LOG_LEVEL });
await startGateway({
  ...gatewayOptions(config),
  supergraph: config.SUPERGRAPH,
  supergraphPollMs: 0,
  log,
  keys: await openKeysFromSettings(config, { log }),
  formSecret: readPepper({ setting: undefined, file: join(config.LECTERN_DATA, 'key-pepper') }),
  openSubgraphs: () => ({
    ...transportWithoutReplicas,
    subgraph(_, url) {
      const { origin, pathname } = new URL(url);
      const pool = new Pool(origin, { connections: config.SUBGRAPH_CONNECTIONS, pipelining: 1 });
      return async (request) => {
        const { body } = await pool.request({ method: 'POST', path: pathname, headers, body: JSON.stringify(request) });
        return Object(await body.json());
      };
    },
  }),
});
