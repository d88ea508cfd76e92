export type { KeyUsage, ReadKeyUsage } from './admin/layout';
export { createAdminPages } from './admin/routes';
export type { ArgumentCost, FieldCost } from './api-reference';
export { createConcordancePages, type ExecuteForPage, type PageReader, type PageResult } from './concordance/routes';
export { sendInternalError, sendUnavailable, sendUnknownPath } from './error-pages';
export type { ConsumeRateLimit } from './forms/form';
export { createKeyRequestPages } from './key-request';
export type { Route } from './page';
export { createPublicPages } from './public-pages';
