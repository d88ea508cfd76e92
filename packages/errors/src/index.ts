export type { ErrorDefinition } from './error-codes';
export { errorCodes } from './error-codes';
export type { CatalogueError } from './error-factories';
export { errors, httpStatus, isCatalogueError, isErrorCode } from './error-factories';
