export { errorCodes } from './codes';
export type { PublicError } from './errors';
export { errors, httpStatus, isErrorCode, isPublicError } from './errors';
