import type { Grow } from '@lectern/execution';
import type { RewrittenOperation } from './alias-rewriting';
import type { ChosenOperation, Variables } from './chosen-operation';
import type { ExecutionStrategy } from './execution-strategy';
import type { QueryPlan } from './plan/plan-nodes';

/**
 * What execution knows of an operation. The members that may be null are found out when the
 * operation is first executed, and belong to the document's entry in the operation cache.
 */
export interface ExecutableOperation extends ChosenOperation {
  /** SHA-256 of the document's text and the operation's name. */
  readonly hash: string;
  readonly grow: Grow;
  /** The form that @apollo/gateway executes. */
  rewritten: RewrittenOperation | null;
  plan: QueryPlan | null;
  /** While null, @apollo/gateway executes the operation. */
  strategy: ExecutionStrategy | null;
}

/** One request to execute an operation. */
export interface ExecutableRequest {
  readonly operation: ExecutableOperation;
  /** As the client sent them. */
  readonly variables: Variables | null;
  /** The declared variables with their defaults, coerced to their types. */
  readonly coercedVariables: Readonly<Variables>;
}
