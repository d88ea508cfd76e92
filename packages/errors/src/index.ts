export type { ErrorDefinition } from './error-codes';
export { errorCodes } from './error-codes';
export type { PublicError } from './error-factories';
export { errors, httpStatus, isErrorCode, isPublicError } from './error-factories';
