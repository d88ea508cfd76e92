import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { VariableValues } from './compile-variables';
import type { FieldErrors, Path } from './state';

/** The state that one execution of an operation passes from field to field. */
export interface ExecutionState {
  readonly context: unknown;
  readonly variables: VariableValues;
  readonly errors: FieldErrors;
  readonly pace: Pace;
  /** The number of field values so far: the selected fields of each object in the data. */
  values: number;
  /** The number of UTF-16 units in the strings of the data so far. */
  characters: number;
  /** The number of field values at which `pace.shouldPause` is called again. */
  nextCheck: number;
}

/**
 * Bounds how long one execution blocks the event loop without a pause, and how many values the
 * response has.
 */
export interface Pace {
  /** Runs synchronous work of the execution and measures its time. Calls may be nested. */
  measure<Result>(work: () => Result): Result;
  /**
   * Runs synchronous work, now or in a later turn of the event loop if other work has used up this
   * turn. Throws or rejects if the execution must stop.
   */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>>;
  /**
   * Returns true if the execution must continue in a later turn of the event loop. Throws if the
   * execution must stop: the list that is being completed fails with this error.
   * @param values the number of values that the execution has resolved so far
   */
  shouldPause(values: number): boolean;
  /** Completes the rest of a list after a pause, when the execution may continue. */
  resume(work: () => unknown): Promise<unknown>;
}

/** The `Pace` of an execution that never pauses and may have any number of values. */
export const unboundedPace: Pace = {
  measure: (work) => work(),
  run: (work) => work(),
  shouldPause: () => false,
  resume: async (work) => await work(),
};

/**
 * How many field values are resolved between two calls of `shouldPause`. `shouldPause` reads the
 * clock, which takes longer than resolving a value.
 */
export const valuesPerCheck = 128;

/** Returns true if the list that is being completed must pause. */
export function isPauseDue(state: ExecutionState): boolean {
  if (state.values < state.nextCheck) return false;
  // While the execution pauses, `nextCheck` stays unchanged, so that the lists around this list
  // pause too.
  if (state.pace.shouldPause(state.values)) return true;
  state.nextCheck = state.values + valuesPerCheck;
  return false;
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

/** Builds `info`, the fourth argument of a resolver. */
export type BuildInfo = (state: ExecutionState, path: Path) => GraphQLResolveInfo;

/** The facts about a field that the completion of its value needs. */
export interface CompletedField {
  readonly nodes: readonly FieldNode[];
  /** `Type.field`, for error messages. */
  readonly coordinate: string;
  /** The type that has the field. Undefined for the items of a list. */
  readonly typename: string | undefined;
  readonly buildInfo: BuildInfo;
}
