import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SettingValues } from '@lectern/serving';
import { errorMessage, folder, httpUrl, milliseconds, port, textFor, wholeNumber } from '@lectern/serving';
import { str } from 'envalid';
import { databaseLocation } from './store/postgres-pool';

const minPepperLength = 32;

/** Returns the pepper: the setting, or the content of the file, which the first call creates. */
export function readPepper({ setting, file }: { setting: string | undefined; file: string }): string {
  if (setting) return setting;
  const pepper = readOrCreate(file);
  if (pepper.length < minPepperLength)
    throw new Error(
      `${file} is damaged: it should hold the secret that keys are made with. Restore it from a backup: without it every key issued so far is unknown.`,
    );
  return pepper;
}

function readOrCreate(file: string): string {
  try {
    if (!existsSync(file)) createOnce(file, `${randomBytes(48).toString('base64url')}\n`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(
      `${file} can neither be read nor made (${errorMessage(error)}). It holds the secret that keys are made with: check the permissions of its folder, or name another folder with LECTERN_DATA.`,
      { cause: error },
    );
  }
}

/** Links a draft to the final name, so that only one of several starting processes creates the file. */
function createOnce(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  // The name is random: two processes in different containers may share the folder, and have one process id.
  const draft = `${file}.${randomUUID()}.part`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

export const localUrl = (port: number): string => `http://localhost:${port}`;

/** Returns the URL of the service without a slash at its end. */
export const publicUrl = ({ PUBLIC_URL, PORT }: Pick<KeysSettings, 'PUBLIC_URL' | 'PORT'>): string =>
  PUBLIC_URL || localUrl(PORT);

export const defaultMailFrom = 'Lectern <lectern@localhost>';

/** The environment variables that the gateway and the `keys` command share. */
export const keysSettings = {
  LECTERN_DATA: folder({
    default: 'data',
    desc: 'The folder with keys.sqlite, and with key-pepper if KEY_PEPPER is not set.',
  }),
  LECTERN_ENVIRONMENT: str({
    default: 'test',
    choices: ['live', 'test'],
    desc: 'Which keys are valid here: live accepts keys with the prefix svc_live_, test those with svc_test_.',
  }),
  KEY_PEPPER: textFor(validatePepper)({
    default: '',
    desc: 'The secret for signing keys and hashing stored keys, at least 32 characters, the same on every gateway. Empty: the file key-pepper, created at the first start.',
  }),
  DATABASE_URL: textFor((text) => text === '' || databaseLocation(text))({
    default: '',
    desc: 'The PostgreSQL database of the keys, for gateways on several machines: postgres://user:password@host/database. Empty: keys.sqlite.',
  }),
  DATABASE_CONNECTIONS: wholeNumber(
    2,
    1_000,
  )({
    default: 8,
    desc: 'With DATABASE_URL: the maximum number of connections of one process, at least 2. A quarter of them, at least one, is for changes.',
  }),
  DATABASE_TIMEOUT_MS: milliseconds({
    default: 2_000,
    desc: 'With DATABASE_URL: the deadline for the lookup of a key, in milliseconds. After it the gateway responds with status 503.',
  }),
  PORT: port({ default: 4000, desc: 'The port the gateway listens on.' }),
  PUBLIC_URL: httpUrl({
    default: '',
    desc: 'The URL at which clients reach the service, without /graphql. Emails contain it. If it begins with https, cookies are Secure. Empty: http://localhost: and PORT.',
  }),
  SMTP_URL: textFor(validateSmtpUrl)({
    default: '',
    desc: 'The mail server that sends the outcome of key requests: smtp://user:password@host:587, or smtps://. With a user, TLS is required unless the URL ends in ?requireTLS=false. Empty: MAIL_OUTBOX.',
  }),
  MAIL_FROM: textFor(validateMailFrom)({
    default: defaultMailFrom,
    desc: 'The sender of emails, who receives the replies: Name <address>. Required with SMTP_URL.',
  }),
  MAIL_OUTBOX: str({
    default: '',
    desc: 'Without SMTP_URL: the folder in which each email becomes an .eml file. Send and delete these files, because they may contain keys. Empty: the folder outbox in LECTERN_DATA.',
  }),
};

export type KeysSettings = SettingValues<typeof keysSettings>;

function validatePepper(text: string): void {
  if (text !== '' && text.length < minPepperLength)
    throw new Error(
      `KEY_PEPPER must have at least ${minPepperLength} characters: make one with \`openssl rand -base64 48\`.`,
    );
}

function validateSmtpUrl(text: string): void {
  if (text !== '' && (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)))
    throw new Error(
      'SMTP_URL must be a URL such as smtp://user:password@mail.example.org:587, with special characters in the password percent-encoded.',
    );
}

function validateMailFrom(text: string): void {
  if (!/^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text))
    throw new Error(
      `MAIL_FROM must be an address, such as Lectern <keys@example.org>, not '${text.replaceAll(/\p{Cc}/gu, ' ')}'.`,
    );
}
