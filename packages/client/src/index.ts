export type { Arguments, ClientOptions, LecternClient, RequestOptions } from './create-lectern-client.js';
export { createLecternClient } from './create-lectern-client.js';
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
export * from './operation-functions.js';
export type * from './operations.generated.js';
export type { Page, PageFunction, PageItem } from './pagination.js';
export { edges, pages } from './pagination.js';
export type { ExecutionResult } from './send-request.js';
