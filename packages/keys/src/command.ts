import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { KeyRequestError, openKeys } from './keys';
import type { KeyRecord, Keys } from './keys';
import { readPepper } from './pepper';
import { environments } from './token';
import type { Environment } from './token';

const usage = `Usage: npm run keys -- COMMAND [options]

  issue --email ADDRESS --name NAME   Issue a key and print it. It is shown this once; one key an address and environment.
  list                                The keys issued so far, oldest first.
  revoke ID                           Revoke a key by its id, its last four characters or the key itself. Holds from the next request on.

Options
  --environment live|test   Of which environment the key is (default: LECTERN_ENVIRONMENT, else test).
  --data DIR                The folder that holds keys.sqlite (default: LECTERN_DATA, else data).
  --json                    Print JSON.
  -h, --help                This text.

Exit status: 0 done, 1 refused, 2 wrong usage.`;

export interface CommandSurroundings {
  env: NodeJS.ProcessEnv;
  out: (line: string) => void;
  err: (line: string) => void;
}

/** The `keys` command. Returns the exit status. */
export function runKeysCommand(args: readonly string[], { env, out, err }: CommandSurroundings): number {
  const parsed = parse(args, env);
  if ('fault' in parsed) {
    err(parsed.fault);
    return 2;
  }
  if (parsed.help) {
    out(usage);
    return 0;
  }
  const pepper = readPepper({ setting: env['KEY_PEPPER'], file: join(parsed.data, 'key-pepper') });
  const keys = openKeys({ file: join(parsed.data, 'keys.sqlite'), pepper });
  try {
    run(keys, parsed, out);
    return 0;
  } catch (error) {
    if (!(error instanceof KeyRequestError)) throw error;
    err(error.message);
    return 1;
  } finally {
    keys.close();
  }
}

interface Parsed {
  command: 'issue' | 'list' | 'revoke';
  help: boolean;
  data: string;
  environment: Environment;
  json: boolean;
  email: string;
  name: string;
  which: string;
}

function parse(args: readonly string[], env: NodeJS.ProcessEnv): Parsed | { fault: string } {
  const options = {
    email: { type: 'string' }, name: { type: 'string' }, environment: { type: 'string' }, data: { type: 'string' },
    json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' },
  } as const;
  let read;
  try {
    read = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    return { fault: `${error instanceof Error ? error.message : String(error)}\n\n${usage}` };
  }
  const { values, positionals } = read;
  const [command = '', which = '', ...rest] = positionals;
  const environment = values.environment ?? env['LECTERN_ENVIRONMENT'] ?? 'test';
  if (values.help !== true) {
    if (command !== 'issue' && command !== 'list' && command !== 'revoke') return { fault: `${command === '' ? 'Which command?' : `Unknown command '${command}'.`}\n\n${usage}` };
    if (!environments.some((each) => each === environment)) return { fault: `The environment is live or test, not '${environment}'.` };
    if (command === 'issue' && (values.email === undefined || values.name === undefined)) return { fault: 'issue needs --email ADDRESS and --name NAME.' };
    if (command === 'revoke' && which === '') return { fault: 'revoke needs the id of a key. See: keys list' };
    if (rest.length > 0 || (command !== 'revoke' && which !== '')) return { fault: `Too many arguments.\n\n${usage}` };
  }
  return {
    command: command as Parsed['command'],
    help: values.help === true,
    data: values.data ?? env['LECTERN_DATA'] ?? 'data',
    environment: environment as Environment,
    json: values.json === true,
    email: values.email ?? '',
    name: values.name ?? '',
    which,
  };
}

function run(keys: Keys, parsed: Parsed, out: (line: string) => void): void {
  if (parsed.command === 'issue') {
    const { key, token } = keys.issue(parsed);
    out(parsed.json ? JSON.stringify({ ...key, token }) : `${token}\n\nThis is the ${key.environment} key of ${key.email} (${key.id}). Keep it: it is not shown again.`);
  } else if (parsed.command === 'list') {
    const listed = keys.list();
    if (parsed.json) out(JSON.stringify(listed));
    else if (listed.length === 0) out('No keys yet. Issue one: npm run keys -- issue --email you@example.org --name You');
    else for (const key of listed) out(line(key));
  } else {
    const key = keys.revoke(parsed.which);
    out(parsed.json ? JSON.stringify(key) : `Revoked: ${line(key)}`);
  }
}

const line = (key: KeyRecord): string =>
  `${key.id}  svc_${key.environment}_...${key.last4}  ${key.createdAt.slice(0, 16)}Z  ${key.revokedAt === null ? 'good   ' : 'revoked'}  ${key.email}  ${key.name}`;
