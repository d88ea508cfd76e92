export { runKeysCommand } from './command/run';
export type { EmailMessage, EmailSender } from './email/senders';
export { defaultSmtpTimeoutMs } from './email/senders';
export { openKeys, openKeysFromSettings, readPepperFromSettings } from './open';
export type { KeysSettings } from './settings';
export { keysSettings, publicUrl, readPepper } from './settings';
export type { Environment } from './token';
export { environments } from './token';
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
} from './types';
export { KeyRequestError, KeyStoreUnavailableError, requestStates } from './types';
export { maxCharacters } from './validation';
