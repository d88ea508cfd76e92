export type { Grow } from './cache';
export { bytesOfDocument, createOperationCache } from './cache';
export { collectFields, collectSubfields, getFieldDef } from './internals';
export type { ExecuteOperation, OperationInfo, OperationResult } from './operation';
export {
  compileOperation,
  createSkipIncludeVariants,
  fragmentsByName,
  interpretOperation,
  isLargeResult,
} from './operation';
export { setProperty } from './selection';
export { type ErrorLimit, limitErrors } from './state';
export { builtInScalarCheck, compileVariables, type VariableValues } from './values';
