import { join } from 'node:path';
import { limitsOf } from '@lectern/gateway';
import { KeyRequestError, openKeys, readPepper } from '@lectern/keys';
import type { Environment, Keys } from '@lectern/keys';
import { chooseSemantic } from '@lectern/search';
import { createLogger, exitWithReason, runUntilStopped } from '@lectern/serving';
import { readConfig } from './config';
import { ensureData } from './ensure-data';
import { startStandalone } from './standalone';
import { welcome } from './welcome';

async function main(): Promise<void> {
  const config = readConfig(process.env);
  await ensureData({ dataDir: config.LECTERN_DATA, env: process.env, log: (line) => process.stderr.write(`${line}\n`) });
  const log = createLogger({ service: 'lectern', level: config.LOG_LEVEL });
  const keys = openKeys({
    file: join(config.LECTERN_DATA, 'keys.sqlite'),
    pepper: readPepper({ setting: config.KEY_PEPPER, file: join(config.LECTERN_DATA, 'key-pepper') }),
  });
  const lectern = await startStandalone({
    dataDir: config.LECTERN_DATA, keys, log,
    semantic: await chooseSemantic({ settings: config, dataDir: config.LECTERN_DATA, log }),
    environment: config.LECTERN_ENVIRONMENT,
    corsOrigins: config.CORS_ORIGINS,
    mostBodyBytes: config.MAX_BODY_BYTES,
    limits: limitsOf(config),
    host: config.HOST,
    port: config.PORT,
  });
  const shownHost = lectern.host.includes(':') ? `[${lectern.host}]` : lectern.host;
  process.stdout.write(`${welcome({
    url: `http://${shownHost === '0.0.0.0' ? '127.0.0.1' : shownHost}:${lectern.port}/graphql`,
    token: firstToken(keys, config.LECTERN_ENVIRONMENT),
    environment: config.LECTERN_ENVIRONMENT,
  })}\n`);
  runUntilStopped(async () => {
    await lectern.close();
    keys.close();
  }, log);
}

/** A test key for whoever starts the service for the first time. A live key is only ever issued on purpose. */
function firstToken(keys: Keys, environment: Environment): string | null {
  if (environment !== 'test' || keys.list().some((key) => key.environment === 'test' && key.revokedAt === null)) return null;
  try {
    return keys.issue({ email: 'first-start@localhost', name: 'Issued at the first start', environment }).token;
  } catch (error) {
    // Another process has started first.
    if (error instanceof KeyRequestError) return null;
    throw error;
  }
}

main().catch(exitWithReason);
