export type { Listening } from './listen';
export { listen } from './listen';
export type { Logger } from './logger';
export { createLogger, silentLogger, withoutKeys } from './logger';
export { isTooLong, readBody } from './read-body';
export { endOnFault, exitWithReason, runUntilStopped } from './run-until-stopped';
export {
  address,
  folder,
  httpUrl,
  milliseconds,
  port,
  readSettings,
  textFor,
  wholeNumber,
  withoutCredentials,
} from './settings';
export { type HeaderList, refusal, sendJson, sendRefusal, sendText } from './write-response';
