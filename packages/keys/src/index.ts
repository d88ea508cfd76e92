export { runKeysCommand } from './command/run-keys-command';
export type { EmailMessage, EmailSender } from './email/email-types-and-nodemailer-message';
export { defaultSmtpTimeoutMs } from './email/smtp-sender';
export type { Environment } from './key-token';
export { environments } from './key-token';
export type {
  AuditEntry,
  Authentication,
  KeyLimits,
  KeyRecord,
  KeyRequest,
  Keys,
  NewKey,
  RequestState,
  Session,
  Sessions,
  UsageByKey,
} from './keys-types';
export { KeyRequestError, KeyStoreUnavailableError, requestStates } from './keys-types';
export { openKeys, openKeysFromSettings, readPepperFromSettings } from './open-keys';
export { readPepper } from './pepper';
export { publicUrl } from './public-url';
export type { KeysSettings } from './settings';
export { keysSettings } from './settings';
export { maxCharacters } from './validate-email-name-and-limits';
