export type { CatalogueError } from './catalogue';
export { errors, httpStatus, isCatalogueError, isErrorCode } from './catalogue';
export type { ErrorDefinition } from './error-codes';
export { errorCodes } from './error-codes';
