// Runs one compiled file of a room in this process, after what it needs is installed and compiled: node scripts/run.mjs FILE [ARGUMENTS].
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './prepare.mjs';

const [file, ...rest] = process.argv.slice(2);
prepare();
process.argv = [process.argv[0], join(root, file), ...rest];
// After preparing: npm would leave out the development dependencies that compiling needs.
process.env.NODE_ENV ??= 'production';
createRequire(import.meta.url)(process.argv[1]);
