export { discardUnreadBody, isDeclaredTooLong, isJsonInUtf8, type ReadBody, readBody } from './body';
export { isJsonObject, stringifyInSteps } from './json';
export type { Logger, OutageMessages, OutageReporter } from './logger';
export { asError, createLogger, createOutageReporter, errorMessage, redactKeys, silentLogger } from './logger';
export type { ProcessOptions } from './memory';
export {
  checkWorkerMemory,
  limitMemory,
  memorySettings,
  processMemoryMb,
  processOptions,
  processOptionsFromEnv,
} from './memory';
export type { OfflinePackagePath, OpenedPackage } from './offline-package';
export { createSendOfflinePackage, parseOfflinePackagePath } from './offline-package';
export type { HeaderList, ResponseMediaType } from './response';
export { errorBody, negotiateMediaType, sendError, sendJson, sendText } from './response';
export { exitOnUncaughtError, exitWithReason, runUntilStopped } from './run';
export type { Hint, WorkBudget, WorkContext, WorkScheduler } from './scheduler';
export {
  createHintList,
  createPacer,
  createWorkScheduler,
  defaultRequestCpuMs,
  maxHints,
  withTimeout,
} from './scheduler';
export type { Address, CloseOptions, Listening } from './server';
export { defaultGraceMs, listen, listenOnAddress, stopListening, trackOpenConnections } from './server';
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
export {
  createGatewayToken,
  createGatewayTokenCheck,
  createHeaderSecretCheck,
  parseSecrets,
  parseSubgraphSecrets,
} from './token';
