import type { FieldNode, GraphQLResolveInfo } from 'graphql';
import type { FieldErrors } from './field-errors';
import type { Path } from './path';
import type { VariableValues } from './variables';

/** One execution of an operation. */
export interface Run {
  readonly context: unknown;
  readonly variables: VariableValues;
  readonly errors: FieldErrors;
}

/** Makes of what a resolver gave what the answer holds: itself, or a promise of it. `parent` and `key` say where it stands. */
export type Complete = (run: Run, value: unknown, parent: Path | undefined, key: string | number) => unknown;

export type InfoAt = (run: Run, path: Path) => GraphQLResolveInfo;

/** The field that a completion is of. */
export interface OfField {
  readonly nodes: readonly FieldNode[];
  /** For messages: `Type.field`. */
  readonly place: string;
  /** The type that has the field; undefined for what stands in a list. */
  readonly typename: string | undefined;
  readonly infoAt: InfoAt;
}
