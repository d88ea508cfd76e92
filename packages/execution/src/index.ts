export { compileOperation, interpretOperation } from './compile-operation';
export type { AboutOperation, Executed, ExecuteOperation } from './compile-operation';
export { createCompiledKept } from './compiled-kept';
export type { CompiledKept } from './compiled-kept';
export type { Selection } from './selection';
export { plainCheckOf } from './plain-values';
export { compileVariables } from './variables';
export type { CoercedVariables, VariableValues } from './variables';
export { charactersPerField, createVariants, fragmentsOf } from './variants';
