export type {
  Arguments,
  ClientOptions,
  DocumentText,
  LecternClient,
  PrintDocument,
  RequestOptions,
  TypedDocument,
} from './client.js';
export { createLecternClient, documentText } from './client.js';
export type { ErrorDetails, ErrorPath, ServiceError } from './errors.js';
export {
  AuthenticationError,
  DeadlineError,
  InvalidResponseError,
  LecternError,
  NetworkError,
  RateLimitError,
  ResponseError,
} from './errors.js';
export type * from './operations.generated.js';
export * from './operations.js';
export type { Page, PageFunction, PageItem } from './pagination.js';
export { edges, pages } from './pagination.js';
export type { ExecutionResult } from './request.js';
