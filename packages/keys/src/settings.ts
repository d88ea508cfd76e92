import { num, str, url } from 'envalid';

export const defaultPublicUrl = 'http://127.0.0.1:4000';
export const defaultMailFrom = 'Lectern <lectern@localhost>';

/** What the gateway and the `keys` command both read from their environment. */
export const keysSettings = {
  LECTERN_DATA: str({ default: 'data', desc: 'The folder that holds keys.sqlite, and key-pepper where KEY_PEPPER is not set.' }),
  LECTERN_ENVIRONMENT: str({ default: 'test', choices: ['live', 'test'], desc: 'Which keys are good here: those with the prefix svc_live_ or svc_test_.' }),
  KEY_PEPPER: str({ default: '', desc: 'The secret that keys are made and stored with, at least 32 characters; the same on every gateway. Empty: the file key-pepper, made at the first start.' }),
  DATABASE_URL: str({ default: '', desc: 'The PostgreSQL database that holds the keys, for gateways on several machines: postgres://user:password@host/database. Empty: keys.sqlite.' }),
  DATABASE_CONNECTIONS: num({ default: 8, desc: 'With DATABASE_URL: the most connections that one process holds.' }),
  DATABASE_TIMEOUT_MS: num({ default: 2_000, desc: 'With DATABASE_URL: how long the look-up of a key may take, in milliseconds, before the request is refused with 503.' }),
  PUBLIC_URL: url({ default: defaultPublicUrl, desc: 'Where clients reach the service, without /graphql: stands in mails and on pages.' }),
  SMTP_URL: str({ default: '', desc: 'The mail server for the outcome of key requests: smtp://user:password@host:587, or smtps://. With a user, TLS is required unless the URL ends in ?requireTLS=false. Empty: MAIL_OUTBOX.' }),
  MAIL_FROM: str({ default: defaultMailFrom, desc: 'Whom mails come from, and whom answers reach: Name <address>. To be set where SMTP_URL is.' }),
  MAIL_OUTBOX: str({ default: '', desc: 'Without SMTP_URL: the folder for mails, each an .eml file to be sent on and deleted, for it may hold a key. Empty: the folder outbox in LECTERN_DATA.' }),
};

/** The values that `keysSettings` describes, as envalid hands them over. */
export type KeysSettings = { readonly [Name in keyof typeof keysSettings]: ReturnType<(typeof keysSettings)[Name]['_parse']> };
