// Installs and builds if needed, then runs one compiled file in this process:
// node scripts/run-compiled.mjs FILE [ARGUMENTS].
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './install-and-build.mjs';

const [file, ...args] = process.argv.slice(2);
await prepare();
process.argv = [process.argv[0], join(root, file), ...args];
// Set after prepare(), because npm leaves out development dependencies if NODE_ENV is `production`.
process.env.NODE_ENV ??= 'production';
createRequire(import.meta.url)(process.argv[1]);
