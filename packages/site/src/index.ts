export { createAdminPages } from './admin/admin-pages';
export { sendFailedPage, sendUnknownPath } from './error-pages';
export type { Limit } from './forms/limit';
export { createRequestPages } from './key-request/request-pages';
export { createPublicPages } from './public-pages';
export type { FieldCost } from './reference/cost-in-words';
export type { Route } from './route';
