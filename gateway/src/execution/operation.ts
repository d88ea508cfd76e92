import type { Grow } from '@lectern/execution';
import type { DocumentNode } from 'graphql';
import type { ChosenOperation, Variables } from './chosen-operation-and-trace-context-types';
import type { QueryPlan } from './plan/apollo-query-plan-types';
import type { ExecuteQueryPlan } from './plan/executor';
import type { RewrittenOperation } from './reserved-names';
import type { PassThrough } from './strategy';

/** The strategy of executing an operation (docs/execution.md). */
export type ExecutionStrategy =
  /** The strategy in which one subgraph executes the whole operation. */
  | { readonly kind: 'pass-through'; readonly passThrough: PassThrough }
  /** The strategy in which the gateway executes the compiled query plan. */
  | { readonly kind: 'query-plan'; readonly execute: ExecuteQueryPlan }
  | { readonly kind: 'apollo-gateway' }
  | IntrospectionStrategy;

/**
 * The strategy of an operation with `__schema` or `__type`. The gateway executes these fields
 * itself, and the other fields as an operation of their own.
 */
export interface IntrospectionStrategy {
  readonly kind: 'introspection';
  /** The document with only the introspection fields of the operation. */
  readonly document: DocumentNode;
  /** The operation without introspection fields. Null if no other fields remain. */
  readonly data: ExecutableOperation | null;
}

/**
 * An operation with the facts that its execution needs. The members that may be null are computed
 * when the operation is first planned or executed. The operation cache holds the operation with all
 * these facts.
 */
export interface ExecutableOperation extends ChosenOperation {
  /** A hash of the document's text and the operation's name. */
  readonly hash: string;
  readonly grow: Grow;
  /** An estimate of how long planning the operation takes: `estimatePlanning`. */
  readonly planningSize: number;
  /**
   * The form of the operation that @apollo/gateway executes. Null before the operation is planned.
   */
  rewritten: RewrittenOperation | null;
  plan: QueryPlan | null;
  /**
   * The execution strategy. Null until the strategy is chosen. With EXECUTION_STRATEGY=standard it
   * stays null for an operation without introspection fields: then @apollo/gateway executes the
   * operation.
   */
  strategy: ExecutionStrategy | null;
}

/** One request to execute an operation. */
export interface ExecutableRequest {
  readonly operation: ExecutableOperation;
  /** The variables as the client sent them. Null if the client sent none. */
  readonly variables: Variables | null;
  /** The declared variables with their defaults, coerced to their types. */
  readonly coercedVariables: Readonly<Variables>;
}
