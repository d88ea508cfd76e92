// Installs and builds the server for AI assistants if needed, then runs it in this process: node scripts/mcp.mjs [ARGUMENTS].
// Assistants start this file with node, because npm writes lines of its own to standard output.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './install-and-build.mjs';

await prepare({ workspaces: ['@lectern/mcp'] });
// Set after prepare(), because npm leaves out development dependencies if NODE_ENV is `production`.
process.env.NODE_ENV ??= 'production';
createRequire(import.meta.url)(join(root, 'packages/mcp/dist/main.js'));
