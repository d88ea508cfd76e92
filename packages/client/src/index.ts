export type { Arguments, ClientOptions, LecternClient, RequestOptions } from './client.js';
export { createLecternClient } from './client.js';
export type { DocumentText, PrintDocument, TypedDocument } from './document-text.js';
export { documentText } from './document-text.js';
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
