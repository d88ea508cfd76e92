export { createAdminPages } from './admin/admin-pages';
export type { KeyUsage, ReadKeyUsage } from './admin/key-usage';
export { sendInternalError, sendKeysUnavailable, sendUnknownPath } from './error-pages';
export type { ConsumeRateLimit } from './forms/rate-limit';
export { createKeyRequestPages } from './key-request/key-request-pages';
export { createPublicPages } from './public-pages';
export type { FieldCost } from './reference/field-cost';
export type { Route } from './route';
