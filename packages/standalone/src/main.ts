import type { Address } from '@lectern/cluster';
import { channelToPrimary, runPrimary, runWorker, shareMetrics } from '@lectern/cluster';
import { gatewayOptions } from '@lectern/gateway';
import type { Environment, Keys } from '@lectern/keys';
import { KeyRequestError, openKeysFromSettings, readPepperFromSettings } from '@lectern/keys';
import { createSemanticOptions } from '@lectern/search';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { openTelemetry } from '@lectern/telemetry';
import { readConfig, settings } from './config';
import { ensureData } from './ensure-data';
import { startStandalone } from './start-standalone';
import { startupMessage } from './startup-message';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const channel = channelToPrimary();
  const log = createLogger({ service: 'lectern', level: config.LOG_LEVEL, ...(channel && { pid: process.pid }) });
  // The primary of a worker has seen to the data, and tells what there is to tell.
  if (!channel)
    await ensureData({
      dataDir: config.LECTERN_DATA,
      env: process.env,
      log: (said) => process.stderr.write(`${said}\n`),
    });
  if (config.WORKERS > 1 && !channel) {
    const address = await runPrimary({ file: __filename, service: 'lectern', config, log });
    const keys = await openKeysFromSettings(config, { log });
    await greet({ address, keys, config });
    await keys.close();
    return;
  }
  const keys = await openKeysFromSettings(config, { log });
  const telemetry = await openTelemetry({
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
    ...gatewayOptions(config),
    formSecret: readPepperFromSettings(config),
    telemetry,
    channel,
  });
  const close = async (isReplaced = false) => {
    await lectern.close(undefined, isReplaced);
    await telemetry.close();
    await keys.close();
  };
  if (channel) {
    runWorker({ channel, address: lectern, close, log });
  } else {
    await greet({ address: lectern, keys, config });
    runUntilStopped(close, log);
  }
}

interface Greeted {
  readonly LECTERN_DATA: string;
  readonly LECTERN_ENVIRONMENT: Environment;
  readonly DATABASE_URL: string;
}

/** What stands for all of a machine's addresses is none that a browser opens. */
const ownAddress: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

async function greet({ address, keys, config }: { address: Address; keys: Keys; config: Greeted }): Promise<void> {
  const host = ownAddress[address.host] ?? address.host;
  const token = await firstToken(keys, config.LECTERN_ENVIRONMENT);
  process.stdout.write(
    `${startupMessage({
      url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}/graphql`,
      token,
      hasKeys: token !== null || (await hasKeys(keys, config.LECTERN_ENVIRONMENT)),
      environment: config.LECTERN_ENVIRONMENT,
      // A database is named by its setting alone.
      dataDir:
        config.DATABASE_URL !== '' || config.LECTERN_DATA === settings.LECTERN_DATA.default
          ? null
          : config.LECTERN_DATA,
    })}\n`,
  );
}

const hasKeys = async (keys: Keys, environment: Environment): Promise<boolean> =>
  (await keys.list()).some((key) => key.environment === environment && key.revokedAt === null);

/** A test key for whoever starts the service for the first time. A live key is only ever issued on purpose. */
async function firstToken(keys: Keys, environment: Environment): Promise<string | null> {
  if (environment !== 'test' || (await hasKeys(keys, environment))) return null;
  try {
    return (
      await keys.issue(
        { email: 'first-start@localhost', name: 'Issued at the first start', environment },
        'first start',
      )
    ).token;
  } catch (error) {
    // Another process has started first.
    if (error instanceof KeyRequestError) return null;
    throw error;
  }
}

main().catch(exitWithReason);
