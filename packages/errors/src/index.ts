export type { CatalogueError, ErrorDefinition } from './catalogue';
export { errorCodes, errors, httpStatus, isCatalogueError, isErrorCode } from './catalogue';
