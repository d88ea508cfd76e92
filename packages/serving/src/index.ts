export { createHeaderSecretCheck } from './check-header-secret';
export { asError, errorMessage } from './error-message';
export type { GatewayTokenCheck } from './gateway-token';
export { createGatewayToken, createGatewayTokenCheck, parseSecrets, parseSubgraphSecrets } from './gateway-token';
export { isJsonInUtf8 } from './is-json-content-type';
export { isJsonObject } from './is-json-object';
export type { Address, CloseOptions, Listening } from './listen';
export { defaultGraceMs, listen, listenOnAddress } from './listen';
export type { Logger } from './logger';
export { createLogger, redactKeys, silentLogger } from './logger';
export type { ProcessOptions } from './memory-limits';
export {
  checkWorkerMemory,
  limitMemory,
  memorySettings,
  processMemoryMb,
  processOptions,
  processOptionsFromEnv,
} from './memory-limits';
export type { ResponseMediaType } from './negotiate-media-type';
export { negotiateMediaType } from './negotiate-media-type';
export type { OutageMessages, OutageReporter } from './outage-reporter';
export { createOutageReporter } from './outage-reporter';
export { createPacer } from './pacer';
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
export type { Hint } from './response-hints';
export { createHintList, maxHints } from './response-hints';
export { exitOnUncaughtError, exitWithReason, runUntilStopped } from './run-until-stopped';
export type { OfflinePackagePath, OpenedPackage } from './send-offline-package';
export { createSendOfflinePackage, parseOfflinePackagePath } from './send-offline-package';
export { stopListening } from './stop-listening';
export { stringifyInSteps } from './stringify-in-steps';
export { trackOpenConnections } from './track-open-connections';
export { withTimeout } from './with-timeout';
export type { WorkBudget, WorkContext } from './work-budget';
export type { WorkScheduler } from './work-scheduler';
export { createWorkScheduler, defaultRequestCpuMs } from './work-scheduler';
export { errorBody, type HeaderList, sendError, sendJson, sendText } from './write-response';
