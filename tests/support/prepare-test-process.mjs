// Lets a process that runs tests import TypeScript. Imports of our packages lead to src instead of
// dist (paths.tsconfig.json), so that no test runs against a stale build.
import { fileURLToPath } from 'node:url';

const setting = 'TSX_TSCONFIG_PATH';
process.env[setting] = fileURLToPath(new URL('paths.tsconfig.json', import.meta.url));
const [esm, cjs] = await Promise.all([import('tsx/esm/api'), import('tsx/cjs/api')]);
esm.register();
cjs.register();
// Processes that tests start do not need the setting.
delete process.env[setting];

// Ends the process with the run, even if a test has left a timer or a connection open.
process.once('disconnect', () => process.exit());
