import type { Environment, Keys } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import type { Address } from '@lectern/serving';

export interface StartupMessageOptions {
  address: Address;
  keys: Keys;
  environment: Environment;
  /**
   * The folder that `npm run keys` needs as --data. Null if the command finds the keys without it.
   */
  dataDir: string | null;
}

/**
 * Returns the text for the terminal once the service is ready: the endpoint, a key, and a command
 * that sends a first query. Issues a test key at the first start.
 */
export async function startupMessage({ address, keys, environment, dataDir }: StartupMessageOptions): Promise<string> {
  const url = graphqlUrl(address);
  const token = await issueFirstKey(keys, environment);
  const keyLine =
    token === null
      ? `Keys      ${(await hasActiveKey(keys, environment)) ? 'were issued before and are not shown again. Another' : `of the ${environment} environment are issued on purpose only, and there is none yet`}: ${issueCommand(environment, dataDir)}`
      : `Key       ${token}\n          (${environment}; shown only once, so store it now)`;
  return `\nLectern is up. Ctrl-C stops it.\n\nEndpoint  ${url}\nExplorer  ${new URL('/explorer', url).href}\n${keyLine}\n\nA first query${token === null ? ', with LECTERN_KEY set to your key' : ''}:\n\n${curlCommand(url, token)}\n`;
}

/** The loopback address for each wildcard address: a browser cannot open a wildcard address. */
const loopbackAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function graphqlUrl({ host, port }: Address): string {
  const reachable = loopbackAddresses[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/graphql`;
}

const hasActiveKey = async (keys: Keys, environment: Environment): Promise<boolean> =>
  (await keys.list()).some((key) => key.environment === environment && key.revokedAt === null);

/**
 * Issues a test key if the store has no valid test key. Returns null if it has one. Also returns
 * null in the live environment, because only an operator issues live keys.
 */
async function issueFirstKey(keys: Keys, environment: Environment): Promise<string | null> {
  if (environment !== 'test' || (await hasActiveKey(keys, environment))) return null;
  const holder = { email: 'first-start@localhost', name: 'Issued at the first start', environment };
  try {
    return (await keys.issue(holder, 'first start')).token;
  } catch (error) {
    // Another process that started at the same time has issued the key.
    if (error instanceof KeyRequestError) return null;
    throw error;
  }
}

function issueCommand(environment: Environment, dataDir: string | null): string {
  const environmentOption = environment === 'test' ? '' : ` --environment ${environment}`;
  const dataOption = dataDir === null ? '' : ` --data '${dataDir.replaceAll("'", "'\\''")}'`;
  return `npm run keys -- issue --email you@example.org --name You${environmentOption}${dataOption}`;
}

const firstQuery = '{ verse(book: "John", chapter: 3, verse: 16) { reference text } }';

const curlCommand = (url: string, token: string | null): string =>
  `curl -s ${url} -H "Authorization: Bearer ${token ?? '$LECTERN_KEY'}" -H "Content-Type: application/json" -d '${JSON.stringify({ query: firstQuery })}'`;
