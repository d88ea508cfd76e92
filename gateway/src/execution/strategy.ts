import type { Grow } from '@lectern/execution';
import type { SubgraphRequest } from '@lectern/subgraph';
import { type DocumentNode, type GraphQLSchema, Kind, print, visit } from 'graphql';
import type { RewrittenOperation } from './alias-rewriting';
import {
  type ChosenOperation,
  pickVariables,
  separateOperation,
  type Variables,
  variableNames,
} from './chosen-operation';
import { compileQueryPlan, type ExecuteQueryPlan } from './plan/compile';
import { isPlainFetch, type PlanNode, type QueryPlan } from './plan/fetch';

/** How an operation is executed. docs/architecture.md explains the strategies. */
type ExecutionStrategy =
  | PassThrough
  | { readonly kind: 'query-plan'; readonly execute: ExecuteQueryPlan }
  | { readonly kind: 'apollo-gateway' }
  | IntrospectionStrategy;

/**
 * The strategy for operations with introspection fields: the gateway executes `__schema` and `__type`, and executes the
 * other fields as a separate operation.
 */
export interface IntrospectionStrategy {
  readonly kind: 'introspection';
  /** The document with only the introspection fields of the operation. */
  readonly document: DocumentNode;
  /** The operation without introspection fields. Null if no other fields remain. */
  readonly data: ExecutableOperation | null;
}

/**
 * A valid operation with all that its execution needs, as the operation cache holds it. Members that may be null are
 * computed when the operation is first planned or executed.
 */
export interface ExecutableOperation extends ChosenOperation {
  /** A hash of the document's text and the operation's name. */
  readonly hash: string;
  readonly grow: Grow;
  /** How long planning takes, estimated as a number of fields. */
  readonly planningSize: number;
  /** The form of the operation that @apollo/gateway plans and executes. */
  rewritten: RewrittenOperation | null;
  plan: QueryPlan | null;
  /**
   * The execution strategy, null until the operation is planned. With EXECUTION_STRATEGY=standard, only operations with
   * introspection fields get one.
   */
  strategy: ExecutionStrategy | null;
}

export interface ExecutableRequest {
  readonly operation: ExecutableOperation;
  /** The variables as the client sent them. Null if the client sent none. */
  readonly variables: Variables | null;
  /** The declared variables with their defaults, coerced to their types. */
  readonly coercedVariables: Readonly<Variables>;
}

/** An operation that one subgraph executes as a whole, with the client's own selections. */
export interface PassThrough {
  readonly kind: 'pass-through';
  readonly subgraph: string;
  /** The operation and its fragments, without other operations of the client's document. */
  readonly query: string;
  readonly variables: readonly string[];
}

/**
 * Creates the pass-through strategy. Returns null unless the plan is a single fetch that needs no merging, and every
 * selection of the document is executed.
 */
function createPassThrough(operation: ChosenOperation, plan: PlanNode): PassThrough | null {
  if (plan.kind !== 'Fetch' || plan.requires !== undefined || !isPlainFetch(plan)) return null;
  const { document, definition } = separateOperation(operation);
  if (mayNeverExecuteSelection(document)) return null;
  const variables = variableNames(definition);
  return { kind: 'pass-through', subgraph: plan.serviceName, query: print(document), variables };
}

/** Builds the request to the subgraph. Only declared variables are sent. */
export function passThroughRequest(passThrough: PassThrough, sent: Variables | null): SubgraphRequest {
  const { query, variables: declared } = passThrough;
  if (!sent || declared.length === 0) return { query };
  if (Object.keys(sent).every((name) => declared.includes(name))) return { query, variables: sent };
  return { query, variables: pickVariables(declared, sent) };
}

/**
 * Returns whether the document may have a selection that is never executed, such as one with `@skip(if: true)`. Such a
 * selection is in no plan, and may belong to any subgraph. Any literal condition counts, even `@include(if: true)`.
 */
function mayNeverExecuteSelection(document: DocumentNode): boolean {
  let found = false;
  const conditions = { skip: new Set<string>(), include: new Set<string>() };
  visit(document, {
    Directive({ name, arguments: values = [] }) {
      const [condition] = values;
      if (!condition || (name.value !== 'skip' && name.value !== 'include')) return;
      if (condition.value.kind === Kind.BOOLEAN) found = true;
      if (condition.value.kind === Kind.VARIABLE) conditions[name.value].add(condition.value.name.value);
    },
  });
  // If @skip and @include with the same variable are nested, the selection is never executed.
  return found || [...conditions.skip].some((variable) => conditions.include.has(variable));
}

/** Chooses the cheapest strategy that can execute an operation. `plan` is the query plan of `rewritten`. */
export function chooseExecutionStrategy(
  schema: GraphQLSchema,
  operation: ExecutableOperation,
  rewritten: RewrittenOperation,
  { node }: QueryPlan,
): ExecutionStrategy {
  const passThrough = node && createPassThrough(operation, node);
  if (passThrough) return passThrough;
  const execute = node && compileQueryPlan(schema, { ...rewritten, grow: operation.grow }, node);
  return execute
    ? { kind: 'query-plan', execute: rewritten.isRenamed ? withClientNames(rewritten, execute) : execute }
    : { kind: 'apollo-gateway' };
}

/**
 * Wraps a strategy so that the paths of errors have the client's names. The projection has already restored these names
 * in the data.
 */
const withClientNames =
  ({ renameVariables, restoreNames }: RewrittenOperation, execute: ExecuteQueryPlan): ExecuteQueryPlan =>
  async (request) => {
    const result = await execute({
      ...request,
      variables: renameVariables(request.variables),
      coercedVariables: renameVariables({ ...request.coercedVariables }) ?? {},
    });
    return result && { ...result, errors: restoreNames({ errors: result.errors }).errors };
  };
