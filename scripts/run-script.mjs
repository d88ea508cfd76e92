// Installs all dependencies and builds if needed, then runs one script in this process:
// node scripts/run-script.mjs FILE [ARGUMENTS].
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare, root } from './install-and-build.mjs';

const [file = '', ...args] = process.argv.slice(2);
/** Whether the script only prints its help, for which what was installed and built before suffices. */
const isHelp =
  args.some((arg) => arg === '--help' || arg === '-h') &&
  ['node_modules/jest', 'packages/subgraph/dist'].every((path) => existsSync(join(root, path)));
if (!isHelp) await prepare({ checks: true });
process.argv = [process.argv[0] ?? '', join(root, file), ...args];
await import(pathToFileURL(join(root, file)).href);
