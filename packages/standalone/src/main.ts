import { join } from 'node:path';
import { optionsOf } from '@lectern/gateway';
import { KeyRequestError, openKeysFrom, readPepper } from '@lectern/keys';
import type { Environment, Keys } from '@lectern/keys';
import { chooseSemantic } from '@lectern/search';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { openTelemetry } from '@lectern/telemetry';
import { readConfig } from './config';
import { ensureData } from './ensure-data';
import { startStandalone } from './standalone';
import { welcome } from './welcome';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  await ensureData({ dataDir: config.LECTERN_DATA, env: process.env, log: (line) => process.stderr.write(`${line}\n`) });
  const log = createLogger({ service: 'lectern', level: config.LOG_LEVEL });
  const keys = await openKeysFrom(config, { log });
  const telemetry = await openTelemetry({ service: 'lectern', config, log });
  const lectern = await startStandalone({
    dataDir: config.LECTERN_DATA, keys, log,
    semantic: await chooseSemantic({ settings: config, dataDir: config.LECTERN_DATA, log }),
    ...optionsOf(config),
    formSecret: readPepper({ setting: config.KEY_PEPPER, file: join(config.LECTERN_DATA, 'key-pepper') }),
    telemetry,
  });
  const shownHost = lectern.host.includes(':') ? `[${lectern.host}]` : lectern.host;
  process.stdout.write(`${welcome({
    url: `http://${shownHost === '0.0.0.0' ? '127.0.0.1' : shownHost}:${lectern.port}/graphql`,
    token: await firstToken(keys, config.LECTERN_ENVIRONMENT),
    environment: config.LECTERN_ENVIRONMENT,
  })}\n`);
  runUntilStopped(async () => {
    await lectern.close();
    await telemetry.close();
    await keys.close();
  }, log);
}

/** A test key for whoever starts the service for the first time. A live key is only ever issued on purpose. */
async function firstToken(keys: Keys, environment: Environment): Promise<string | null> {
  if (environment !== 'test' || (await keys.list()).some((key) => key.environment === 'test' && key.revokedAt === null)) return null;
  try {
    return (await keys.issue({ email: 'first-start@localhost', name: 'Issued at the first start', environment }, 'first start')).token;
  } catch (error) {
    // Another process has started first.
    if (error instanceof KeyRequestError) return null;
    throw error;
  }
}

main().catch(exitWithReason);
