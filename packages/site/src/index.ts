export { createAdminPages } from './admin/routes';
export type { TextState } from './changes';
export { createKeyRequestPages } from './key-request';
export { sendInternalError, sendUnavailable, sendUnknownPath } from './page';
export { createPublicPages } from './public-pages';
