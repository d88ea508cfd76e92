export { createHeaderSecretCheck } from './check-header-secret';
export type { GatewayTokenCheck } from './create-and-check-gateway-token';
export {
  createGatewayToken,
  createGatewayTokenCheck,
  parseSecrets,
  parseSubgraphSecrets,
} from './create-and-check-gateway-token';
export type { Hint } from './developer-hints-of-response';
export { createHintList, maxHints } from './developer-hints-of-response';
export { asError, errorMessage } from './error-message';
export { isJsonObject } from './is-json-object';
export { isJsonInUtf8 } from './is-utf8-json-content-type';
export type { Address, CloseOptions, Listening } from './listen-and-close-gracefully';
export { defaultGraceMs, listen, listenOnAddress } from './listen-and-close-gracefully';
export type { Logger } from './logger';
export { createLogger, redactKeys, silentLogger } from './logger';
export type { ProcessOptions } from './memory-limits';
export {
  checkWorkerMemory,
  heapGrowthPercent,
  limitMemory,
  memorySettings,
  processMemoryMb,
  processOptions,
  processOptionsFromEnv,
} from './memory-limits';
export type { ResponseMediaType } from './negotiate-media-type';
export { negotiateMediaType } from './negotiate-media-type';
export { createPacer } from './one-caller-per-interval';
export type { OutageMessages, OutageReporter } from './outage-reporter';
export { createOutageReporter } from './outage-reporter';
export type { ReadBody } from './read-body';
export { discardUnreadBody, isDeclaredTooLong, readBody } from './read-body';
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
} from './read-settings';
export type { WorkBudget, WorkContext } from './request-cpu-time-budget';
export { exitOnUncaughtError, exitWithReason, runUntilStopped } from './run-until-stopped';
export { errorBody, type HeaderList, sendError, sendJson, sendText } from './send-json-and-errors';
export type { OfflinePackagePath, OpenedPackage } from './send-offline-package';
export { createSendOfflinePackage, parseOfflinePackagePath } from './send-offline-package';
export { stopListening } from './stop-listening-after-queued-connections';
export { stringifyInSteps } from './stringify-in-steps';
export { trackOpenConnections } from './track-open-connections';
export { withTimeout } from './with-timeout';
export type { WorkScheduler } from './work-scheduler';
export { createWorkScheduler, defaultRequestCpuMs } from './work-scheduler';
