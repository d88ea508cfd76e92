import { type FieldNode, type GraphQLError, type GraphQLResolveInfo, locatedError, responsePathAsArray } from 'graphql';
import type { VariableValues } from './values';

export interface ExecutionState {
  readonly context: unknown;
  readonly variables: VariableValues;
  readonly errors: FieldErrors;
  readonly pace: Pace;
  /** The number of field values so far. Each selected field of each object counts. */
  values: number;
  /** The number of UTF-16 units in the strings of the data so far. */
  characters: number;
  /** The number of field values at which `pace.shouldPause` is called again. */
  nextCheck: number;
}

/** Decides when an execution pauses for other requests, and when a response has too many values. */
export interface Pace {
  /** Runs synchronous work and measures its time. Calls may be nested. */
  measure<Result>(work: () => Result): Result;
  /** Runs synchronous work, in a later turn if this one is used up. Throws or rejects if the execution must stop. */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>>;
  /** Returns whether to continue in a later turn, after so many values. Throws to stop: the list fails with this. */
  shouldPause(values: number): boolean;
  /** Continues a list after a pause, as soon as the execution may continue. */
  resume(work: () => unknown): Promise<unknown>;
}

export const unboundedPace: Pace = {
  measure: (work) => work(),
  run: (work) => work(),
  shouldPause: () => false,
  resume: async (work) => await work(),
};

/** A call of `shouldPause` reads the clock, which takes time. */
export const valuesPerCheck = 128;

export function isPauseDue(state: ExecutionState): boolean {
  if (state.values < state.nextCheck) return false;
  // `nextCheck` is not changed, so that the outer lists pause too.
  if (state.pace.shouldPause(state.values)) return true;
  state.nextCheck = state.values + valuesPerCheck;
  return false;
}

/** Converts a resolver's value, at the path of `parent` and `key`, to the value of the response. */
export type CompleteValue = (
  state: ExecutionState,
  value: unknown,
  parent: Path | undefined,
  key: string | number,
) => unknown;

/** Builds the fourth argument of a resolver, which GraphQL calls `info`. */
export type BuildInfo = (state: ExecutionState, path: Path) => GraphQLResolveInfo;

export interface CompletedField {
  readonly nodes: readonly FieldNode[];
  /** The coordinate `Type.field`, for error messages. */
  readonly coordinate: string;
  /** The type that has the field. Undefined for the items of a list. */
  readonly typename: string | undefined;
  readonly buildInfo: BuildInfo;
}

/** The path of a value in a response, from the last field or list index back to the first. */
export interface Path {
  readonly prev: Path | undefined;
  readonly key: string | number;
  /** The type that has the field. Undefined for a list index. */
  readonly typename: string | undefined;
}

/** Thrown to the nearest nullable value. `locate`, which is slow, is for reported errors. A class, for `instanceof`. */
export class FieldFailure {
  constructor(
    private readonly originalError: unknown,
    private readonly nodes: readonly FieldNode[],
    private readonly path: Path,
  ) {}

  /** Returns the error with location and path, with the original stack trace: making another takes long. */
  locate(): GraphQLError {
    const { stackTraceLimit } = Error;
    if (this.originalError instanceof Error) Error.stackTraceLimit = 0;
    const error = locatedError(this.originalError, this.nodes, responsePathAsArray(this.path));
    Error.stackTraceLimit = stackTraceLimit;
    return error;
  }
}

export interface ErrorLimit {
  readonly max: number;
  /** Creates the error that replaces all errors of a response with more than `max` errors. */
  readonly error: () => GraphQLError;
}

/** Applies the error limit to a result of graphql-js. Compiled operations apply the limit themselves. */
export const limitErrors = <Result extends { readonly errors?: readonly unknown[] }>(
  result: Result,
  { max, error }: ErrorLimit,
): Result | { data: null; errors: GraphQLError[] } =>
  (result.errors?.length ?? 0) > max ? { data: null, errors: [error()] } : result;

/** Collects errors in their order. Those below a value that is null already are dropped, as in graphql-js. */
export function createFieldErrors({ max, error: tooManyErrors }: ErrorLimit) {
  const list: GraphQLError[] = [];
  const nulledPaths = new Set<string>();
  let isFull = false;

  return {
    /** Returns whether there were more errors than the limit. The data is then null. */
    isFull: (): boolean => isFull,
    /** Collects the error of the value at a path, which has become null. Without a path, all data has become null. */
    add(failure: FieldFailure | GraphQLError, path: Path | undefined): void {
      const keys = responsePathAsArray(path);
      for (let length = 0; length <= keys.length; length += 1)
        if (nulledPaths.has(JSON.stringify(keys.slice(0, length)))) return;
      nulledPaths.add(JSON.stringify(keys));
      if (list.length >= max) isFull = true;
      else list.push(failure instanceof FieldFailure ? failure.locate() : failure);
    },
    all: (): readonly GraphQLError[] => (isFull ? [tooManyErrors()] : list),
  };
}

type FieldErrors = ReturnType<typeof createFieldErrors>;
