export type { KeyUsage, ReadKeyUsage } from './admin/layout';
export { createAdminPages } from './admin/routes';
export type { ArgumentCost, FieldCost } from './api-reference';
export { createConcordancePages, type ExecuteForPage, type PageReader, type PageResult } from './concordance/routes';
export { createKeyRequestPages } from './key-request';
export { sendInternalError, sendUnavailable, sendUnknownPath } from './page';
export { createPublicPages } from './public-pages';
