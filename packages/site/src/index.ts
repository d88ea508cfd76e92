export type { KeyUsage, ReadKeyUsage } from './admin/layout';
export { createAdminPages } from './admin/routes';
export type { ArgumentCost, FieldCost } from './api-reference';
export { createKeyRequestPages } from './key-request';
export { sendInternalError, sendUnavailable, sendUnknownPath } from './page';
export { createPublicPages } from './public-pages';
