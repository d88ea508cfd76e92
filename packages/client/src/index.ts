export * from './client.js';
export * from './errors.js';
export type * from './operations.generated.js';
export * from './operations.js';
export * from './pagination.js';
export type { ExecutionResult } from './request.js';
