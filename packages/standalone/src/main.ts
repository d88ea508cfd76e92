import { join, resolve } from 'node:path';
import { findNamedPassages, warmReferenceParser } from '@lectern/canon';
import { gatewayOptions } from '@lectern/gateway';
import { KeyRequestError, type Keys, openKeysFromSettings, publicUrl, readPepperFromSettings } from '@lectern/keys';
import { createSemanticOptions } from '@lectern/search';
import {
  type Address,
  createLogger,
  exitWithReason,
  isWorker,
  type Logger,
  limitMemory,
  runUntilStopped,
  runWorker,
  startWorkers,
} from '@lectern/serving';
import { startTelemetry, startWorkersTelemetry } from '@lectern/telemetry';
import { readConfig, settings } from './config';
import { ensureData } from './data';
import { startStandalone } from './standalone';

type Config = ReturnType<typeof readConfig>;

/** The data folder of `npm run keys` without LECTERN_DATA and --data. */
const defaultDataDir = join(__dirname, '..', '..', '..', settings.LECTERN_DATA.default ?? 'data');

/** Runs `npm start`: as the only process, as the primary process of several workers, or as a worker. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLogger({ service: 'lectern', level: config.LOG_LEVEL, pid: isWorker() ? process.pid : undefined });
  const printProgress = (line: string) => void process.stderr.write(`${line}\n`);
  if (isWorker()) return startServer(config, log);
  const { unfinished } = await ensureData({ dataDir: config.LECTERN_DATA, env: process.env, log: printProgress });
  if (config.WORKERS === 1) return startServer(config, log, unfinished);
  await unfinished;
  return startPrimary(config, log);
}

async function startPrimary(config: Config, log: Logger): Promise<void> {
  const workers = await startWorkers({ file: __filename, config, log });
  await startWorkersTelemetry({ service: 'lectern', config, ready: workers.ready, log });
  const keys = await openKeysFromSettings(config, { log });
  await printStartupMessage({ address: workers, keys, config });
  await keys.close();
}

/** Serves the texts at once, and the rest when `unfinished` resolves. If it is null, all data is built. */
async function startServer(config: Config, log: Logger, unfinished: Promise<void> | null = null): Promise<void> {
  limitMemory(config, log);
  const createSemantic = () => createSemanticOptions({ settings: config, dataDir: config.LECTERN_DATA, log });
  const keys = await openKeysFromSettings(config, { log });
  const telemetry = await startTelemetry({ service: 'lectern', config, log });
  const lectern = await startStandalone({
    dataDir: config.LECTERN_DATA,
    keys,
    log,
    semantic: unfinished ? null : await createSemantic(),
    unfinished: unfinished?.then(createSemantic),
    requestCpuMs: config.REQUEST_CPU_MS,
    translationsMemoryBytes: config.TRANSLATIONS_MEMORY_BYTES,
    offlineBaseUrl: config.OFFLINE_BASE_URL || publicUrl(config),
    offlinePerMinute: config.OFFLINE_RATE_PER_MINUTE,
    ...gatewayOptions(config),
    formSecret: readPepperFromSettings(config),
    telemetry,
    // A worker that is forked again gets all kinds of requests at once. A single process loads the parser below.
    preloadParser: isWorker() && config.PRELOAD_PARSER,
  });
  const close = async (drainMs: number) => {
    await lectern.close({ drainMs });
    await telemetry.close();
    await keys.close();
  };
  if (isWorker()) return runWorker(close, log);
  await printStartupMessage({ address: lectern, keys, config });
  if (unfinished) process.stdout.write(`${stillBuilding}\n\n`);
  if (unfinished) void lectern.complete.then(() => process.stdout.write('Everything is ready.\n'));
  runUntilStopped(close, log, { drainMs: config.DRAIN_MS });
  // Loading the parser blocks the event loop for half a second, so the startup message is printed first.
  if (config.PRELOAD_PARSER)
    setImmediate(() => {
      warmReferenceParser();
      findNamedPassages('the golden rule');
    });
}

const stillBuilding =
  'The texts are ready. Search, concordance, study and originals are being built: they answer in a minute or two.';

/** Prints the endpoint, a key and a first query. At the first start, issues a test key. */
async function printStartupMessage({ address, keys, config }: { address: Address; keys: Keys; config: Config }) {
  const environment = config.LECTERN_ENVIRONMENT;
  const url = graphqlUrl(address);
  const hasKey = (await keys.list()).some((key) => key.environment === environment && key.revokedAt === null);
  // A test key is issued automatically. Live keys are issued only by an operator.
  const token = environment === 'test' && !hasKey ? await issueFirstKey(keys) : null;
  const keyLine =
    token === null
      ? `Keys      ${hasKey || environment === 'test' ? 'were issued before and are not shown again. Another' : `of the ${environment} environment are issued on purpose only, and there is none yet`}: ${issueCommand(config)}`
      : `Key       ${token}\n          (${environment}; shown only once, so store it now)`;
  process.stdout.write(
    `\nLectern is up. Ctrl-C stops it.\n\nEndpoint  ${url}\nExplorer  ${new URL('/explorer', url).href}\n${keyLine}\n\nA first query${token === null ? ', with LECTERN_KEY set to your key' : ''}:\n\n${curlCommand(url, token)}\n\n`,
  );
}

/** Loopback addresses for wildcard addresses, which a browser cannot open. */
const loopbackAddresses: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function graphqlUrl({ host, port }: Address): string {
  const reachable = loopbackAddresses[host] ?? host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}/graphql`;
}

/** Issues the first key. Resolves with null if another process that started at the same time has issued it. */
async function issueFirstKey(keys: Keys): Promise<string | null> {
  const holder = { email: 'first-start@localhost', name: 'Issued at the first start', environment: 'test' } as const;
  try {
    return (await keys.issue(holder, 'first start')).token;
  } catch (error) {
    if (error instanceof KeyRequestError) return null;
    throw error;
  }
}

/** Returns the command that issues a key. Its --data is absolute, because the command runs in the root folder. */
function issueCommand({ DATABASE_URL, LECTERN_DATA, LECTERN_ENVIRONMENT: environment }: Config): string {
  const dataDir = resolve(LECTERN_DATA);
  const findsKeys = DATABASE_URL !== '' || dataDir === defaultDataDir;
  const environmentOption = environment === 'test' ? '' : ` --environment ${environment}`;
  const dataOption = findsKeys ? '' : ` --data '${dataDir.replaceAll("'", "'\\''")}'`;
  return `npm run keys -- issue --email you@example.org --name You${environmentOption}${dataOption}`;
}

const firstQuery = '{ verse(book: "John", chapter: 3, verse: 16) { reference text } }';

const curlCommand = (url: string, token: string | null): string =>
  `curl -s ${url} -H "Authorization: Bearer ${token ?? '$LECTERN_KEY'}" -H "Content-Type: application/json" -d '${JSON.stringify({ query: firstQuery })}'`;

main().catch(exitWithReason);
