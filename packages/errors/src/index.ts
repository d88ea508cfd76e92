export { errors, errorCodes, httpStatus, isCatalogueError, isErrorCode } from './catalogue';
export type { CatalogueError, ErrorDefinition } from './catalogue';
