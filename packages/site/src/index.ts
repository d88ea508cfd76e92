export { createAdminPages } from './admin/routes';
export { parseOperators } from './admin/sign-in';
export { createKeyRequestPages } from './key-request';
export { sendInternalError, sendUnavailable, sendUnknownPath } from './page';
export { createPublicPages } from './public-pages';
