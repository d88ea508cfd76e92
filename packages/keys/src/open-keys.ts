import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Logger } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { createKeys } from './keys';
import { createLetters } from './mail/letters';
import type { Mail } from './mail/mail';
import { createOutboxMail } from './mail/outbox-mail';
import { createSmtpMail } from './mail/smtp-mail';
import { readPepper } from './pepper';
import type { Keys } from './records';
import type { KeysSettings } from './settings';
import { defaultMailFrom } from './settings';
import { openPostgresStore } from './store/postgres-store';
import { openSqliteStore } from './store/sqlite-store';

export interface KeysOptions {
  /** The SQLite file; made when it is not there. */
  file: string;
  pepper: string;
  /** How outcomes are mailed; into the folder `outbox` beside the file unless told otherwise. */
  mail?: Mail;
  /** For mails. */
  publicUrl?: string;
  now?: () => Date;
  log?: Logger;
}

/** In the data folder. */
export const keysFile = 'keys.sqlite';
const pepperFile = 'key-pepper';

/** Where whoever sits at this machine reaches the service. */
const ownUrl = (port: number): string => `http://localhost:${port}`;

const systemTime = () => new Date();

/** API keys in a SQLite file that several processes may share. */
export function openKeys({
  file,
  pepper,
  now = systemTime,
  mail = createOutboxMail({ folder: join(dirname(file), 'outbox'), from: defaultMailFrom, now }),
  publicUrl = ownUrl(4_000),
  log = silentLogger,
}: KeysOptions): Keys {
  return createKeys({ store: openSqliteStore(file), pepper, letters: createLetters({ mail, publicUrl }), now, log });
}

/** API keys in the store and with the mail that the settings name. Rejects with one line where these do not go together or cannot be used. */
export async function openKeysFrom(
  settings: KeysSettings,
  { log, now = systemTime }: { log: Logger; now?: () => Date },
): Promise<Keys> {
  const mail = chooseMail(settings, now);
  const publicUrl = settings.PUBLIC_URL === '' ? ownUrl(settings.PORT) : settings.PUBLIC_URL.replace(/\/+$/, '');
  const pepper = readPepperFrom(settings);
  if (settings.DATABASE_URL === '')
    return openKeys({ file: join(settings.LECTERN_DATA, keysFile), pepper, mail, publicUrl, now, log });
  const store = await openPostgresStore({
    url: settings.DATABASE_URL,
    connections: settings.DATABASE_CONNECTIONS,
    timeoutMs: settings.DATABASE_TIMEOUT_MS,
    log,
  });
  return createKeys({ store, pepper, letters: createLetters({ mail, publicUrl }), now, log });
}

/**
 * The secret by the settings: without KEY_PEPPER it is in the data folder. Throws where keys are there and their secret is not: another one would make each of
 * them unknown.
 */
export function readPepperFrom({
  KEY_PEPPER,
  LECTERN_DATA,
  DATABASE_URL,
}: Pick<KeysSettings, 'KEY_PEPPER' | 'LECTERN_DATA' | 'DATABASE_URL'>): string {
  const file = join(LECTERN_DATA, pepperFile);
  const keys = join(LECTERN_DATA, keysFile);
  // In this order: a process that starts at the same moment makes the secret first, then the store.
  if (KEY_PEPPER === '' && DATABASE_URL === '' && existsSync(keys) && !existsSync(file)) {
    throw new Error(
      `${file} is missing, and with it the secret that the keys beside it were made with. Restore it from a backup, or set KEY_PEPPER if they were made with that; to begin without those keys, move ${keys} away.`,
    );
  }
  return readPepper({ setting: KEY_PEPPER, file });
}

function chooseMail({ SMTP_URL, MAIL_FROM, MAIL_OUTBOX, LECTERN_DATA }: KeysSettings, now: () => Date): Mail {
  if (SMTP_URL === '')
    return createOutboxMail({
      folder: MAIL_OUTBOX === '' ? join(LECTERN_DATA, 'outbox') : MAIL_OUTBOX,
      from: MAIL_FROM,
      now,
    });
  if (MAIL_FROM === defaultMailFrom)
    throw new Error('SMTP_URL is set, so MAIL_FROM must be too: the address that mails come from and answers reach.');
  return createSmtpMail({ url: SMTP_URL, from: MAIL_FROM });
}
