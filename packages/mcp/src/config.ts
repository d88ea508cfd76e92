import { parseArgs } from 'node:util';
import {
  address,
  drainSetting,
  httpUrl,
  logLevel,
  milliseconds,
  port,
  readSettings,
  textFor,
  trustedProxiesSetting,
} from '@lectern/serving';
import { metricsSettings } from '@lectern/telemetry';
import { str } from 'envalid';
import { mcpPath } from './server';

export const help = `Tools for AI assistants that read Lectern, by the Model Context Protocol.

  npm run mcp              over standard input and output: the assistant starts the process
  npm run mcp -- --http    over HTTP, on http://127.0.0.1:4020${mcpPath}: HOST and PORT change that

  -h, --help               show this help

Settings (docs/settings.md): LECTERN_URL, the endpoint of the service, and LECTERN_KEY, the API key. Over HTTP each
client sends its own key in the header Authorization. docs/mcp.md shows how to set up assistants.
`;

export function parseCommand(args: string[]): 'help' | 'http' | 'stdio' | { invalid: string } {
  try {
    const { values } = parseArgs({
      args,
      options: { http: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    });
    return values.help ? 'help' : values.http ? 'http' : 'stdio';
  } catch (error) {
    return { invalid: (error as Error).message };
  }
}

/** The names with which a computer addresses itself in the headers `Host` and `Origin`. */
const loopbackNames = 'localhost, 127.0.0.1, [::1]';

export const settings = {
  LECTERN_URL: textFor(parseEndpoint)({
    default: 'http://127.0.0.1:4000/graphql',
    desc: 'The GraphQL endpoint that the tools read. The URL ends in /graphql.',
  }),
  LECTERN_KEY: textFor(parseKey)({
    default: '',
    desc: 'The API key of the tools over stdio, where it is required. Over HTTP each client sends its own key, and this setting is ignored.',
  }),
  LECTERN_DEADLINE_MS: milliseconds({
    default: 20_000,
    desc: 'How long one call of a tool may wait for the service, retries included, in milliseconds.',
  }),
  LECTERN_PAGES_URL: httpUrl({
    default: '',
    desc: 'The public URL of the pages of the service, for links in answers, without /graphql. Empty: the origin of LECTERN_URL.',
  }),
  LECTERN_READER_URL: httpUrl({
    default: '',
    desc: 'The URL of a reader with the paths of examples/reader, for links in answers. Empty: links lead to pages of the service, and those to passages to its explorer.',
  }),
  HOST: address({
    default: '127.0.0.1',
    desc: 'With --http: the address to listen on.',
  }),
  PORT: port({ default: 4020, desc: 'With --http: the port to listen on.' }),
  ALLOWED_HOSTS: str({
    default: loopbackNames,
    desc: 'With --http: the host names, without ports, that requests may have in Host, separated by commas. Other requests get 403: they may come from a page that a browser was tricked into (DNS rebinding).',
  }),
  ALLOWED_ORIGINS: str({
    default: loopbackNames,
    desc: 'With --http: the host names of the pages that may send requests, separated by commas, compared with Origin. Requests without Origin do not come from pages.',
  }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  DRAIN_MS: drainSetting,
  ...metricsSettings,
  LOG_LEVEL: logLevel({ default: 'warn', desc: 'The minimum level of logged messages. The log is standard error.' }),
};

function parseEndpoint(text: string): string {
  const isUrl = /^https?:\/\//i.test(text) && URL.canParse(text);
  if (!isUrl || new URL(text).username !== '')
    throw new Error(
      'LECTERN_URL must be a URL that begins with http:// or https://, without a user, such as http://127.0.0.1:4000/graphql.',
    );
  return text;
}

// The error message does not contain the key, because assistants show what the process prints.
function parseKey(text: string): string {
  if (!/^[\x21-\x7e]*$/.test(text)) throw new Error('LECTERN_KEY must be a key without blanks and line breaks.');
  return text;
}

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);
