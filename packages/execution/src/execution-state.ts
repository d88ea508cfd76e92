import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { VariableValues } from './compile-variables';
import type { FieldErrors, Path } from './field-errors';

/** The state that one execution of an operation passes from field to field. */
export interface ExecutionState {
  readonly context: unknown;
  readonly variables: VariableValues;
  readonly errors: FieldErrors;
}

/**
 * Turns a resolver's value into the value of the response, or a promise of the value.
 * `parent` and `key` are the value's path.
 */
export type CompleteValue = (
  state: ExecutionState,
  value: unknown,
  parent: Path | undefined,
  key: string | number,
) => unknown;

/** Builds the fourth argument of a resolver. */
export type BuildInfo = (state: ExecutionState, path: Path) => GraphQLResolveInfo;

/** The field whose value is completed. */
export interface CompletedField {
  readonly nodes: readonly FieldNode[];
  /** `Type.field`, for error messages. */
  readonly coordinate: string;
  /** The type that has the field. Undefined for the items of a list. */
  readonly typename: string | undefined;
  readonly buildInfo: BuildInfo;
}
