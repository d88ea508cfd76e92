export type { ReadBody } from './body';
export { discardUnreadBody, isDeclaredTooLong, readBody } from './body';
export { createHeaderSecretCheck } from './check-header-secret';
export type { Hint } from './developer-hints-of-response';
export { createHintList, maxHints } from './developer-hints-of-response';
export { asError, errorMessage } from './error-message';
export { isJsonObject } from './is-json-object';
export { isJsonInUtf8 } from './is-utf8-json-content-type';
export { stringifyInSteps } from './json';
export type { Logger } from './logger';
export { createLogger, redactKeys, silentLogger } from './logger';
export type { ProcessOptions } from './memory';
export {
  checkWorkerMemory,
  heapGrowthPercent,
  limitMemory,
  memorySettings,
  processMemoryMb,
  processOptions,
  processOptionsFromEnv,
} from './memory';
export type { ResponseMediaType } from './negotiate-media-type';
export { negotiateMediaType } from './negotiate-media-type';
export type { OfflinePackagePath, OpenedPackage } from './offline-package';
export { createSendOfflinePackage, parseOfflinePackagePath } from './offline-package';
export { createPacer } from './one-caller-per-interval';
export type { OutageMessages, OutageReporter } from './outage-reporter';
export { createOutageReporter } from './outage-reporter';
export { errorBody, type HeaderList, sendError, sendJson, sendText } from './response';
export { exitOnUncaughtError, exitWithReason, runUntilStopped } from './run';
export type { WorkBudget, WorkContext } from './scheduler';
export type { Address, CloseOptions, Listening } from './server';
export { defaultGraceMs, listen, listenOnAddress } from './server';
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
export { stopListening } from './stop-listening-after-queued-connections';
export type { GatewayTokenCheck } from './token';
export {
  createGatewayToken,
  createGatewayTokenCheck,
  parseSecrets,
  parseSubgraphSecrets,
} from './token';
export { trackOpenConnections } from './track-open-connections';
export { withTimeout } from './with-timeout';
export type { WorkScheduler } from './work-scheduler';
export { createWorkScheduler, defaultRequestCpuMs } from './work-scheduler';
