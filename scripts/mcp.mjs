// Installs and builds the MCP server (packages/mcp) if needed, then runs it in this process:
// node scripts/mcp.mjs [ARGUMENTS]. AI assistants start this file with node and not with npm, because
// npm writes to standard output, which carries the protocol.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { prepare, root } from './install-and-build.mjs';

await prepare({ workspaces: ['@lectern/mcp'] });
// Set after prepare(), because npm leaves out development dependencies if NODE_ENV is `production`.
process.env.NODE_ENV ??= 'production';
createRequire(import.meta.url)(join(root, 'packages/mcp/dist/main.js'));
