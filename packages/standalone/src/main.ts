import { join, resolve } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { channelToPrimary, runPrimary, runWorker, shareMetrics } from '@lectern/cluster';
import { type CloseGatewayOptions, gatewayOptions } from '@lectern/gateway';
import type { Keys } from '@lectern/keys';
import { openKeysFromSettings, publicUrl, readPepperFromSettings } from '@lectern/keys';
import { createSemanticOptions } from '@lectern/search';
import type { Address, Logger } from '@lectern/serving';
import { createLogger, exitWithReason, heapGrowthPercent, limitMemory, runUntilStopped } from '@lectern/serving';
import { startTelemetry } from '@lectern/telemetry';
import { ensureData } from './build-missing-or-stale-data';
import { readConfig, settings } from './config';
import { startupMessage } from './issue-first-key-and-startup-message';
import { startStandalone } from './standalone';

type Config = ReturnType<typeof readConfig>;
type Channel = ReturnType<typeof channelToPrimary>;

/** The data folder that `npm run keys` uses if it has no LECTERN_DATA and no --data. */
const defaultDataDir = join(__dirname, '..', '..', '..', settings.LECTERN_DATA.default ?? 'data');

/**
 * The entry point of `npm start`. The process is one of three: the only process, the primary of
 * several workers (WORKERS > 1), or a worker that the primary started. Only a worker has a channel
 * to a primary.
 */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  const channel = channelToPrimary();
  const log = createLogger({ service: 'lectern', level: config.LOG_LEVEL, ...(channel && { pid: process.pid }) });
  if (!channel) await ensureData({ dataDir: config.LECTERN_DATA, env: process.env, log: printProgress });
  if (!channel && config.WORKERS > 1) await startPrimary(config, log);
  else await startServer(config, log, channel);
}

const printProgress = (line: string): void => void process.stderr.write(`${line}\n`);

/** Starts the workers, and prints the startup message when they serve requests. */
async function startPrimary(config: Config, log: Logger): Promise<void> {
  const address = await runPrimary({ file: __filename, service: 'lectern', config, log });
  const keys = await openKeysFromSettings(config, { log });
  await printStartupMessage({ address, keys, config });
  await keys.close();
}

/** Serves the whole graph in this process until it is stopped. */
async function startServer(config: Config, log: Logger, channel: Channel): Promise<void> {
  limitMemory(config, log, heapGrowthPercent.singleProcess);
  const keys = await openKeysFromSettings(config, { log });
  const telemetry = await startTelemetry({
    service: 'lectern',
    config,
    log,
    ...(channel && { share: shareMetrics(channel) }),
  });
  const lectern = await startStandalone({
    dataDir: config.LECTERN_DATA,
    keys,
    log,
    semantic: await createSemanticOptions({ settings: config, dataDir: config.LECTERN_DATA, log }),
    requestCpuMs: config.REQUEST_CPU_MS,
    translationsMemoryBytes: config.TRANSLATIONS_MEMORY_BYTES,
    offlineBaseUrl: config.OFFLINE_BASE_URL || publicUrl(config),
    ...gatewayOptions(config),
    formSecret: readPepperFromSettings(config),
    telemetry,
    channel,
    // A worker that replaces another worker gets requests of all kinds at once. So a worker
    // prepares the reference parser before it serves requests. A single process prepares the parser
    // below.
    preloadParser: channel !== null && config.PRELOAD_PARSER,
  });
  const close = async (options: CloseGatewayOptions) => {
    await lectern.close(options);
    await telemetry.close();
    await keys.close();
  };
  if (channel) {
    runWorker({ channel, close: (isReplaced) => close({ isReplaced }), log });
  } else {
    await printStartupMessage({ address: lectern, keys, config });
    runUntilStopped((drainMs) => close({ drainMs }), log, { drainMs: config.DRAIN_MS });
    // Preparing the reference parser blocks the event loop for half a second. So it happens in the
    // next turn of the event loop, after `npm start` has printed its message.
    if (config.PRELOAD_PARSER) setImmediate(warmReferenceParser);
  }
}

async function printStartupMessage({ address, keys, config }: { address: Address; keys: Keys; config: Config }) {
  // The message prints an `npm run keys` command, which runs in the repository's root. This process
  // may have another working directory. So the command names an absolute --data, unless it finds
  // the keys without it.
  const dataDir = resolve(config.LECTERN_DATA);
  const findsKeys = config.DATABASE_URL !== '' || dataDir === defaultDataDir;
  const message = await startupMessage({
    address,
    keys,
    environment: config.LECTERN_ENVIRONMENT,
    dataDir: findsKeys ? null : dataDir,
  });
  process.stdout.write(`${message}\n`);
}

main().catch(exitWithReason);
