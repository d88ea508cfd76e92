import { folder, httpUrl, milliseconds, port, textFor, wholeNumber } from '@lectern/serving';
import { str } from 'envalid';
import { validatePepper } from './pepper';
import { databaseLocation } from './store/postgres-store';

export const defaultMailFrom = 'Lectern <lectern@localhost>';

const mostConnections = 1_000;

/** What the gateway and the `keys` command both read from their environment. */
export const keysSettings = {
  LECTERN_DATA: folder({
    default: 'data',
    desc: 'The folder that holds keys.sqlite, and key-pepper where KEY_PEPPER is not set.',
  }),
  LECTERN_ENVIRONMENT: str({
    default: 'test',
    choices: ['live', 'test'],
    desc: 'Which keys are good here: those with the prefix svc_live_ or svc_test_.',
  }),
  KEY_PEPPER: textFor(validatePepper)({
    default: '',
    desc: 'The secret that keys are made and stored with, at least 32 characters; the same on every gateway. Empty: the file key-pepper, made at the first start.',
  }),
  DATABASE_URL: textFor((text) => text === '' || databaseLocation(text))({
    default: '',
    desc: 'The PostgreSQL database that holds the keys, for gateways on several machines: postgres://user:password@host/database. Empty: keys.sqlite.',
  }),
  DATABASE_CONNECTIONS: wholeNumber(
    1,
    mostConnections,
  )({ default: 8, desc: 'With DATABASE_URL: the most connections that one process holds.' }),
  DATABASE_TIMEOUT_MS: milliseconds({
    default: 2_000,
    desc: 'With DATABASE_URL: how long the look-up of a key may take, in milliseconds, before the request is refused with 503.',
  }),
  PORT: port({ default: 4000, desc: 'The port the gateway listens on.' }),
  PUBLIC_URL: httpUrl({
    default: '',
    desc: 'Where clients reach the service, without /graphql: stands in mails, and where it begins with https, cookies are for https alone. Empty: http://localhost: and PORT.',
  }),
  SMTP_URL: textFor(checkedSmtpUrl)({
    default: '',
    desc: 'The mail server for the outcome of key requests: smtp://user:password@host:587, or smtps://. With a user, TLS is required unless the URL ends in ?requireTLS=false. Empty: MAIL_OUTBOX.',
  }),
  MAIL_FROM: textFor(checkedMailFrom)({
    default: defaultMailFrom,
    desc: 'Whom mails come from, and whom answers reach: Name <address>. To be set where SMTP_URL is.',
  }),
  MAIL_OUTBOX: str({
    default: '',
    desc: 'Without SMTP_URL: the folder for mails, each an .eml file to be sent on and deleted, for it may hold a key. Empty: the folder outbox in LECTERN_DATA.',
  }),
};

/** The values that `keysSettings` describes, as envalid hands them over. */
export type KeysSettings = {
  readonly [Name in keyof typeof keysSettings]: ReturnType<(typeof keysSettings)[Name]['_parse']>;
};

function checkedSmtpUrl(text: string): void {
  if (text !== '' && (!/^smtps?:\/\/./.test(text) || !URL.canParse(text)))
    throw new Error(
      'SMTP_URL must be a URL such as smtp://user:password@mail.example.org:587, with what is not a letter or digit in the password percent-encoded.',
    );
}

function checkedMailFrom(text: string): void {
  if (!/^([^<>\p{Cc}]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text))
    throw new Error(
      `MAIL_FROM must be an address, such as Lectern <keys@example.org>, not '${text.replaceAll(/\p{Cc}/gu, ' ')}'.`,
    );
}
