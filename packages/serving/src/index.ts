export { createLogger, silentLogger, withoutKeys } from './logger';
export type { Logger } from './logger';
export { listen } from './listen';
export type { Listening } from './listen';
export { exitWithReason, runUntilStopped } from './run-until-stopped';
