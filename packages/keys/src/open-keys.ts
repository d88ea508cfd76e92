import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Logger, silentLogger } from '@lectern/serving';
import { createKeys, type Keys } from './api-keys';
import { createOutboxSender, createOutcomeEmails, createSmtpSender, defaultSmtpTimeoutMs } from './email';
import { defaultMailFrom, type KeysSettings, localUrl, publicUrl, readPepper } from './settings';
import { openPostgresStore } from './store/postgres';
import { openSqliteStore } from './store/sqlite';

export const keysFileName = 'keys.sqlite';

const systemTime = () => new Date();

/** Opens the keys in a SQLite file, without settings. Emails are written to the folder `outbox` beside it. */
export function openKeys({ file, pepper, now = systemTime }: { file: string; pepper: string; now?: () => Date }): Keys {
  const emailSender = createOutboxSender(resolve(dirname(file), 'outbox'), defaultMailFrom, now);
  const emails = createOutcomeEmails(emailSender, localUrl(4_000));
  return createKeys({ store: openSqliteStore(file, silentLogger), pepper, emails, now, log: silentLogger });
}

/**
 * Opens the keys as the settings say. Rejects with one line if these contradict each other or the store is unusable.
 */
export async function openKeysFromSettings(
  settings: KeysSettings,
  {
    log,
    now = systemTime,
    smtpTimeoutMs = defaultSmtpTimeoutMs,
  }: { log: Logger; now?: () => Date; smtpTimeoutMs?: number },
): Promise<Keys> {
  const { SMTP_URL, MAIL_FROM, MAIL_OUTBOX, LECTERN_DATA, DATABASE_URL } = settings;
  if (SMTP_URL !== '' && MAIL_FROM === defaultMailFrom)
    throw new Error('SMTP_URL is set, so MAIL_FROM must be too: the address that mails come from and replies reach.');
  const emailSender =
    SMTP_URL === ''
      ? createOutboxSender(resolve(MAIL_OUTBOX || join(LECTERN_DATA, 'outbox')), MAIL_FROM, now)
      : createSmtpSender(SMTP_URL, MAIL_FROM, smtpTimeoutMs);
  const emails = createOutcomeEmails(emailSender, publicUrl(settings));
  const pepper = readPepperFromSettings(settings);
  const store =
    DATABASE_URL === ''
      ? openSqliteStore(join(LECTERN_DATA, keysFileName), log)
      : await openPostgresStore({
          url: DATABASE_URL,
          connections: settings.DATABASE_CONNECTIONS,
          timeoutMs: settings.DATABASE_TIMEOUT_MS,
          log,
        });
  const keys = createKeys({ store, pepper, emails, now, log });
  const warning = await keys.pepperWarning();
  if (warning !== null) log.warn(warning);
  return keys;
}

/**
 * Returns KEY_PEPPER, or the content of a file that the first call creates. Throws if keys.sqlite exists without it,
 * because with a new pepper every stored key would be unknown.
 */
export function readPepperFromSettings({
  KEY_PEPPER,
  LECTERN_DATA,
  DATABASE_URL,
}: Pick<KeysSettings, 'KEY_PEPPER' | 'LECTERN_DATA' | 'DATABASE_URL'>): string {
  const file = join(LECTERN_DATA, 'key-pepper');
  const storeFile = join(LECTERN_DATA, keysFileName);
  // The store is checked before the pepper: another process that starts now may create the pepper and then the store.
  if (KEY_PEPPER === '' && DATABASE_URL === '' && existsSync(storeFile) && !existsSync(file))
    throw new Error(
      `${file} is missing, and with it the secret that the keys beside it were made with. Restore it from a backup, or set KEY_PEPPER if they were made with that; to begin without those keys, move ${storeFile} away.`,
    );
  return readPepper({ setting: KEY_PEPPER, file });
}
