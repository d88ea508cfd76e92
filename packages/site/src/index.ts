export { createAdminPages } from './admin/routes';
export { parseOperators } from './admin/sign-in';
export type { TextState } from './changes';
export { createKeyRequestPages } from './key-request';
export { sendInternalError, sendUnavailable, sendUnknownPath } from './page';
export { createPublicPages } from './public-pages';
