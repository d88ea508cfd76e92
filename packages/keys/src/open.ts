import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { createKeys } from './api-keys';
import { createOutcomeEmails } from './email/messages';
import type { EmailSender } from './email/senders';
import { createOutboxSender, createSmtpSender, defaultSmtpTimeoutMs } from './email/senders';
import type { KeysSettings } from './settings';
import { defaultMailFrom, localUrl, publicUrl, readPepper } from './settings';
import { openPostgresStore } from './store/postgres';
import { openSqliteStore } from './store/sqlite';
import type { Keys } from './types';

interface KeysOptions {
  /** The path of the SQLite file. A missing file is created. */
  file: string;
  pepper: string;
  /** The sender of emails. The default is an outbox in the folder `outbox` beside the file. */
  emailSender?: EmailSender;
  /** The service's URL for the examples in emails, without /graphql. */
  publicUrl?: string;
  now?: () => Date;
  log?: Logger;
}

/** The names of the files in the data folder. */
export const keysFileName = 'keys.sqlite';
const pepperFileName = 'key-pepper';

const systemTime = () => new Date();

/** Opens the API keys in a SQLite file that several processes may share. */
export function openKeys({
  file,
  pepper,
  now = systemTime,
  emailSender = createOutboxSender({ folder: join(dirname(file), 'outbox'), from: defaultMailFrom, now }),
  publicUrl = localUrl(4_000),
  log = silentLogger,
}: KeysOptions): Keys {
  return createKeys({
    store: openSqliteStore(file, log),
    pepper,
    outcomeEmails: createOutcomeEmails({ emailSender, publicUrl }),
    now,
    log,
  });
}

/**
 * Opens the API keys in the store that the settings choose: PostgreSQL if DATABASE_URL is set, else
 * SQLite. Rejects with a message of one line if settings contradict each other or the store cannot
 * be used.
 */
export async function openKeysFromSettings(
  settings: KeysSettings,
  {
    log,
    now = systemTime,
    smtpTimeoutMs = defaultSmtpTimeoutMs,
  }: { log: Logger; now?: () => Date; smtpTimeoutMs?: number },
): Promise<Keys> {
  const emailSender = chooseEmailSender(settings, { now, smtpTimeoutMs });
  const ownUrl = publicUrl(settings);
  const pepper = readPepperFromSettings(settings);
  if (settings.DATABASE_URL === '')
    return openKeys({
      file: join(settings.LECTERN_DATA, keysFileName),
      pepper,
      emailSender,
      publicUrl: ownUrl,
      now,
      log,
    });
  const store = await openPostgresStore({
    url: settings.DATABASE_URL,
    connections: settings.DATABASE_CONNECTIONS,
    timeoutMs: settings.DATABASE_TIMEOUT_MS,
    log,
  });
  return createKeys({
    store,
    pepper,
    outcomeEmails: createOutcomeEmails({ emailSender, publicUrl: ownUrl }),
    now,
    log,
  });
}

/**
 * Returns the pepper, the secret that keys are hashed with: KEY_PEPPER if it is set, else the
 * content of a file in the data folder, which the first call creates. Throws if keys.sqlite is the
 * store and exists, but the pepper file does not: with a new pepper, every stored key would be
 * unknown.
 */
export function readPepperFromSettings({
  KEY_PEPPER,
  LECTERN_DATA,
  DATABASE_URL,
}: Pick<KeysSettings, 'KEY_PEPPER' | 'LECTERN_DATA' | 'DATABASE_URL'>): string {
  const file = join(LECTERN_DATA, pepperFileName);
  const storeFile = join(LECTERN_DATA, keysFileName);
  // Checks the store before the pepper. Another process that starts now creates the pepper first
  // and the store afterwards, so it never looks as if the pepper was lost.
  if (KEY_PEPPER === '' && DATABASE_URL === '' && existsSync(storeFile) && !existsSync(file)) {
    throw new Error(
      `${file} is missing, and with it the secret that the keys beside it were made with. Restore it from a backup, or set KEY_PEPPER if they were made with that; to begin without those keys, move ${storeFile} away.`,
    );
  }
  return readPepper({ setting: KEY_PEPPER, file });
}

/**
 * Chooses the sender of emails. Without SMTP_URL, emails are written as files into an outbox
 * folder.
 */
function chooseEmailSender(
  { SMTP_URL, MAIL_FROM, MAIL_OUTBOX, LECTERN_DATA }: KeysSettings,
  { now, smtpTimeoutMs }: { now: () => Date; smtpTimeoutMs: number },
): EmailSender {
  if (SMTP_URL === '')
    return createOutboxSender({
      folder: MAIL_OUTBOX === '' ? join(LECTERN_DATA, 'outbox') : MAIL_OUTBOX,
      from: MAIL_FROM,
      now,
    });
  if (MAIL_FROM === defaultMailFrom)
    throw new Error('SMTP_URL is set, so MAIL_FROM must be too: the address that mails come from and replies reach.');
  return createSmtpSender({ url: SMTP_URL, from: MAIL_FROM, timeoutMs: smtpTimeoutMs });
}
