import { createSkipIncludeVariants, type Grow } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import type { Variables } from '../chosen-operation';
import type { RawError } from '../response';
import { compileEntityFetch, compileRootFetch, type ExecuteNode, type PlanExecution, type PlanNode } from './fetch';
import { compileProjection, type ProjectedOperation } from './projection';

interface PlanResult {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly RawError[] | undefined;
  /** Whether the data is so large that it must be written as JSON in steps, between which other requests run. */
  readonly isLarge: boolean;
}

type PlanRequest = Pick<PlanExecution, 'fetch' | 'work'> & {
  readonly variables: Variables | null;
  readonly coercedVariables: Readonly<Variables>;
};

/** Executes a compiled plan. Resolves to null if @apollo/gateway has to execute the plan instead. */
export type ExecuteQueryPlan = (request: PlanRequest) => Promise<PlanResult | null>;

/**
 * Compiles a plan over several subgraphs. The variables of each fetch, the keys of each entity and the fields of the
 * response are computed once for each combination of values of @skip and @include. @apollo/gateway computes them for
 * each request.
 *
 * If a response does not fit the schema, the compiled plan stops. @apollo/gateway then executes the plan with the
 * responses fetched so far. Returns null for plans that only @apollo/gateway can execute: mutations, plans with @defer
 * or rewrites, and operations that select introspection fields or fields of interfaces and unions.
 */
export function compileQueryPlan(
  schema: GraphQLSchema,
  operation: ProjectedOperation & { readonly grow: Grow },
  plan: PlanNode,
): ExecuteQueryPlan | null {
  if (operation.definition.operation !== 'query') return null;
  const variantFor = createSkipIncludeVariants({
    document: operation.document,
    operation: operation.definition,
    grow: operation.grow,
    compile: (conditions, onField) => ({
      project: compileProjection(schema, operation, conditions, onField),
      execute: compileNode(plan, conditions),
    }),
  });
  return async ({ variables, coercedVariables, fetch, work }) => {
    const { execute = null, project = null } = variantFor(coercedVariables) ?? {};
    if (!execute || !project) return null;
    const errors: RawError[] = [];
    const data = {};
    if (!(await execute({ data, variables: variables ?? {}, fetch, errors, work }))) return null;
    const steps = project(data);
    const first = steps.next();
    const projected = first.done === true ? first.value : await work.runInSteps(steps);
    // A non-null field is null, but no subgraph sent an error. Only @apollo/gateway can create the error that the
    // response then needs.
    if (projected === 'invalid' || (projected.hasPropagatedNull && errors.length === 0)) return null;
    return { data: projected.data, errors: errors.length > 0 ? errors : undefined, isLarge: projected.isLarge };
  };
}

/** Compiles a plan node. Returns null if only @apollo/gateway can execute the node. */
function compileNode(node: PlanNode, conditions: Variables): ExecuteNode | null {
  switch (node.kind) {
    case 'Fetch':
      return compileRootFetch(node);
    case 'Flatten':
      return node.node.kind === 'Fetch' ? compileEntityFetch(node.node, node.path) : null;
    case 'Sequence':
    case 'Parallel': {
      const nodes = node.nodes.map((each) => compileNode(each, conditions));
      if (!nodes.every((each) => each !== null)) return null;
      return node.kind === 'Sequence' ? inSequence(nodes) : inParallel(nodes);
    }
    case 'Condition': {
      const clause = conditions[node.condition] === true ? node.ifClause : node.elseClause;
      return clause ? compileNode(clause, conditions) : async () => true;
    }
    default:
      return null;
  }
}

const inSequence =
  (nodes: readonly ExecuteNode[]): ExecuteNode =>
  async (execution) => {
    for (const execute of nodes) if (!(await execute(execution))) return false;
    return true;
  };

/**
 * The maximum number of plan nodes that run at the same time. If all ran at once, none could be skipped after more
 * than 1,000 errors.
 */
const maxParallelNodes = 4;

/**
 * Runs plan nodes in parallel, and waits for all of them even if one fails: @apollo/gateway then executes the plan
 * with the responses fetched so far, and must not repeat a fetch that is in flight.
 */
const inParallel =
  (nodes: readonly ExecuteNode[]): ExecuteNode =>
  async (execution) => {
    const waiting = nodes.values();
    let isSuccess = true;
    const executeWaiting = async (): Promise<void> => {
      for (const execute of waiting) isSuccess = (await execute(execution)) && isSuccess;
    };
    await Promise.all(Array.from({ length: maxParallelNodes }, executeWaiting));
    return isSuccess;
  };
