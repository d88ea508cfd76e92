import { parseArgs } from 'node:util';
import { mcpPath } from './sessionless-mcp-http-server';

export type Command = { readonly kind: 'help' } | { readonly kind: 'stdio' } | { readonly kind: 'http' };

export const help = `Tools for AI assistants that read Lectern, by the Model Context Protocol.

  npm run mcp              over standard input and output: the assistant starts the process
  npm run mcp -- --http    over HTTP, on http://127.0.0.1:4020${mcpPath}: HOST and PORT change that

  -h, --help               show this help

Settings (docs/settings.md): LECTERN_URL, the endpoint of the service, and LECTERN_KEY, the API key. Over HTTP each
client sends its own key in the header Authorization. docs/mcp.md shows how to set up assistants.
`;

/** Parses the command line. Throws an error that says what is wrong. */
export function parseCommand(args: readonly string[]): Command {
  const { values } = parse(args);
  if (values.help) return { kind: 'help' };
  return { kind: values.http ? 'http' : 'stdio' };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { http: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    });
  } catch (error) {
    throw new Error(`${(error as Error).message}\nSee --help.`, { cause: error });
  }
}
