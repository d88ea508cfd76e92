export { KeyRequestError, openKeys } from './keys';
export type { Authentication, KeyRecord, Keys } from './keys';
export { readPepper } from './pepper';
export { environments } from './token';
export type { Environment } from './token';
export { runKeysCommand } from './command';
