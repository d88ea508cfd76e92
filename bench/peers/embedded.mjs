// The whole service in one process, as `npm start` runs it, on the repository's corpus and the bench's own keys.
import { createRequire } from 'node:module';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const { openKeys, readPepper } = require('../../packages/keys/dist/index.js');
const { createLogger } = require('../../packages/serving/dist/index.js');
const { startStandalone } = require('../../packages/standalone/dist/index.js');

const folder = process.env.LECTERN_DATA;
const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper: readPepper({ file: join(folder, 'key-pepper') }) });
await startStandalone({
  dataDir: 'data', semantic: null, keys, log: createLogger({ service: 'bench', level: 'warn' }),
  environment: 'test', corsOrigins: '*', mostBodyBytes: 100_000, limits: { tokens: 5_000, depth: 15, complexity: 300 }, host: '127.0.0.1', port: Number(process.env.PORT),
});
