// Registers tsx, so that a process that runs tests can import TypeScript.
// The file paths.tsconfig.json maps imports of our packages to their `src` folders instead of
// `dist`, so that no test uses a stale build.
import { fileURLToPath } from 'node:url';

const setting = 'TSX_TSCONFIG_PATH';
process.env[setting] = fileURLToPath(new URL('paths.tsconfig.json', import.meta.url));
const [esm, cjs] = await Promise.all([import('tsx/esm/api'), import('tsx/cjs/api')]);
esm.register();
cjs.register();
// tsx has read the variable. Processes that tests start run from `dist` and must not inherit it.
delete process.env[setting];
