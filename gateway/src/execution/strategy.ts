import type { Grow } from '@lectern/execution';
import type { SubgraphRequest } from '@lectern/subgraph';
import { type DocumentNode, type GraphQLSchema, Kind, print, visit } from 'graphql';
import { type ChosenOperation, separateOperation, type Variables } from './operation';
import { compileQueryPlan, type ExecuteQueryPlan } from './plan/executor';
import { isPlainFetch, type PlanNode, type QueryPlan } from './plan/fetch';
import type { RewrittenOperation } from './rewrite';

/** The strategy of executing an operation (docs/execution.md). */
type ExecutionStrategy =
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

/**
 * An operation that one subgraph executes as a whole, with the selections that the client wrote.
 */
export interface PassThrough {
  readonly subgraph: string;
  /** The operation and its fragments, without other operations of the client's document. */
  readonly query: string;
  /** The names of the variables that the operation declares. */
  readonly variables: readonly string[];
}

/**
 * Creates the pass-through of a plan that is one fetch from one subgraph. The subgraph's response
 * to the client's own operation is then the whole response: nothing is merged or projected. Returns
 * null for all other plans, and if a selection of the operation may never be executed.
 */
function createPassThrough(operation: ChosenOperation, plan: PlanNode): PassThrough | null {
  if (plan.kind !== 'Fetch' || plan.requires !== undefined || !isPlainFetch(plan)) return null;
  const { document, definition } = separateOperation(operation);
  if (mayNeverExecuteSelection(document)) return null;
  const variables = (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  return { subgraph: plan.serviceName, query: print(document), variables };
}

/**
 * Builds the request to the subgraph. Only declared variables are sent, no other members of the
 * client's object.
 */
export function passThroughRequest(passThrough: PassThrough, sent: Variables | null): SubgraphRequest {
  const { query, variables: declared } = passThrough;
  if (!sent || declared.length === 0) return { query };
  if (Object.keys(sent).every((name) => declared.includes(name))) return { query, variables: sent };
  const variables: Variables = Object.create(null);
  for (const name of declared) if (Object.hasOwn(sent, name)) variables[name] = sent[name];
  return { query, variables };
}

/**
 * Returns whether the document may have a selection that is never executed, such as with `@skip(if:
 * true)`. Such a selection is in no plan, and may belong to any subgraph. Returns true for each
 * literal condition, even `@include(if: true)`.
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
  // Returns true, too, if one variable is used both in @skip and in @include. If one of these
  // directives is nested in the other, the selection is never executed.
  return found || [...conditions.skip].some((variable) => conditions.include.has(variable));
}

/**
 * Chooses the cheapest strategy that can execute an operation. `rewritten` is the operation with
 * the names that
 * @apollo/gateway needs. The plan is the plan of `rewritten`.
 */
export function chooseExecutionStrategy(
  schema: GraphQLSchema,
  operation: ExecutableOperation,
  rewritten: RewrittenOperation,
  { node }: QueryPlan,
): ExecutionStrategy {
  const passThrough = node && createPassThrough(operation, node);
  if (passThrough) return { kind: 'pass-through', passThrough };
  const execute = node && compileQueryPlan(schema, { ...rewritten, grow: operation.grow }, node);
  return execute
    ? { kind: 'query-plan', execute: rewritten.isRenamed ? withClientNames(rewritten, execute) : execute }
    : { kind: 'apollo-gateway' };
}

/**
 * Wraps the execution of a plan for an operation with rewritten names. Renames the variables, and
 * restores the client's names in the paths of errors. The projection restores the names in the
 * data.
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
