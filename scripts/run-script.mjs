// Installs all dependencies and builds if needed, then runs one script in this process:
// node scripts/run-script.mjs FILE [ARGUMENTS].
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './install-and-build.mjs';

const [file = '', ...args] = process.argv.slice(2);
await prepare({ checks: true });
process.argv = [process.argv[0] ?? '', join(root, file), ...args];
await import(pathToFileURL(join(root, file)).href);
