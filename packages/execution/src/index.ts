export { compileOperation, interpretOperation } from './compile-operation';
export type { AboutOperation, Executed, ExecuteOperation } from './compile-operation';
export { createSelectionsKept } from './selections-kept';
export { compileVariables } from './variables';
export type { CoercedVariables, VariableValues } from './variables';
