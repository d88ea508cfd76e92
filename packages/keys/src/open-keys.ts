import { dirname, join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import type { Logger } from '@lectern/serving';
import { createKeys } from './keys';
import { createLetters } from './mail/letters';
import type { Mail } from './mail/mail';
import { createOutboxMail } from './mail/outbox-mail';
import { createSmtpMail } from './mail/smtp-mail';
import { readPepperFrom } from './pepper';
import type { Keys } from './records';
import { defaultMailFrom, defaultPublicUrl } from './settings';
import type { KeysSettings } from './settings';
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

const systemTime = () => new Date();

/** API keys in a SQLite file that several processes may share. */
export function openKeys({ file, pepper, now = systemTime, mail = createOutboxMail({ folder: join(dirname(file), 'outbox'), from: defaultMailFrom, now }), publicUrl = defaultPublicUrl, log = silentLogger }: KeysOptions): Keys {
  return createKeys({ store: openSqliteStore(file), pepper, letters: createLetters({ mail, publicUrl }), now, log });
}

/** API keys in the store and with the mail that the settings name. Rejects with one line that says what is wrong with them. */
export async function openKeysFrom(settings: KeysSettings, { log, now = systemTime }: { log: Logger; now?: () => Date }): Promise<Keys> {
  const mail = chooseMail(settings, now);
  const publicUrl = checkedPublicUrl(settings.PUBLIC_URL);
  const pepper = readPepperFrom(settings);
  if (settings.DATABASE_URL === '') return openKeys({ file: join(settings.LECTERN_DATA, 'keys.sqlite'), pepper, mail, publicUrl, now, log });
  const store = await openPostgresStore({ url: settings.DATABASE_URL, connections: settings.DATABASE_CONNECTIONS, timeoutMs: settings.DATABASE_TIMEOUT_MS, log });
  return createKeys({ store, pepper, letters: createLetters({ mail, publicUrl }), now, log });
}

function chooseMail({ SMTP_URL, MAIL_FROM, MAIL_OUTBOX, LECTERN_DATA }: KeysSettings, now: () => Date): Mail {
  if (!/^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(MAIL_FROM)) throw new Error(`MAIL_FROM must be an address, such as Lectern <keys@example.org>, not '${MAIL_FROM}'.`);
  if (SMTP_URL === '') return createOutboxMail({ folder: MAIL_OUTBOX === '' ? join(LECTERN_DATA, 'outbox') : MAIL_OUTBOX, from: MAIL_FROM, now });
  if (!/^smtps?:\/\/./.test(SMTP_URL) || !URL.canParse(SMTP_URL)) throw new Error('SMTP_URL must be a URL such as smtp://user:password@mail.example.org:587, with what is not a letter or digit in the password percent-encoded.');
  if (MAIL_FROM === defaultMailFrom) throw new Error('SMTP_URL is set, so MAIL_FROM must be too: the address that mails come from and answers reach.');
  return createSmtpMail({ url: SMTP_URL, from: MAIL_FROM });
}

function checkedPublicUrl(text: string): string {
  if (!/^https?:\/\/[^\s"'\\$`]+$/.test(text)) throw new Error(`PUBLIC_URL must be an http or https URL, not '${text}'.`);
  return text.replace(/\/+$/, '');
}
