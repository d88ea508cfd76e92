import type { FieldErrors } from './field-errors';
import type { VariableValues } from './variables';

/** One execution of an operation. */
export interface Run {
  readonly context: unknown;
  readonly variables: VariableValues;
  readonly errors: FieldErrors;
}
