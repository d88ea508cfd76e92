export { runKeysCommand } from './command';
export { mostCharacters } from './fields';
export type { Letter, Mail } from './mail/mail';
export { openKeys, openKeysFrom, readPepperFrom } from './open-keys';
export { readPepper } from './pepper';
export type {
  AuditEntry,
  Authentication,
  KeyRecord,
  KeyRequest,
  Keys,
  NewKey,
  RequestState,
  Session,
  Sessions,
} from './records';
export { KeyRequestError, requestStates } from './records';
export type { KeysSettings } from './settings';
export { keysSettings } from './settings';
export type { Environment } from './token';
export { environments } from './token';
