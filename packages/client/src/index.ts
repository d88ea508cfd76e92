export * from './client.js';
export * from './errors.js';
export * from './functions.generated.js';
export type * from './operations.generated.js';
export * from './pagination.js';
export type { ExecutionResult } from './request.js';
