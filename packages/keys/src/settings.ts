import { folder, httpUrl, milliseconds, port, textFor, wholeNumber } from '@lectern/serving';
import { str } from 'envalid';
import { validatePepper } from './pepper';
import { databaseLocation } from './store/postgres-errors';

export const defaultMailFrom = 'Lectern <lectern@localhost>';

const maxConnections = 1_000;

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
    maxConnections,
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

/** The values of `keysSettings`, as envalid returns them. */
export type KeysSettings = {
  readonly [Name in keyof typeof keysSettings]: ReturnType<(typeof keysSettings)[Name]['_parse']>;
};

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
