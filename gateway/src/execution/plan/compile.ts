import { createSkipIncludeVariants, type Grow } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import type { Variables } from '../chosen-operation';
import type { RawError } from '../response';
import { compileEntityFetch, compileRootFetch, type ExecuteNode, type PlanExecution, type PlanNode } from './fetch';
import { compileProjection, type ProjectedOperation } from './projection';

interface PlanResult {
  readonly data: Record<string, unknown> | null;
  readonly errors: readonly RawError[] | undefined;
  /** Whether the data is so large that it must be written as JSON in several steps. */
  readonly isLarge: boolean;
}

type PlanRequest = Pick<PlanExecution, 'fetch' | 'work'> & {
  readonly variables: Variables | null;
  readonly coercedVariables: Readonly<Variables>;
};

/** Resolves to null if @apollo/gateway has to execute the plan. */
export type ExecuteQueryPlan = (request: PlanRequest) => Promise<PlanResult | null>;

/**
 * Compiles a plan over several subgraphs. For each combination of values of the variables in @skip
 * and @include, some facts are computed once that @apollo/gateway computes for each request: the
 * variables of each fetch, the keys of each entity, and the fields of the response.
 *
 * If a response does not fit the schema, the compiled plan stops. @apollo/gateway then executes the
 * plan with the responses fetched so far. Returns null for mutations. @apollo/gateway also executes
 * plans with @defer or rewrites, and operations that select introspection fields or fields of
 * interfaces and unions.
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
    // If a non-null value is null, but no subgraph sent an error, the response needs an error that
    // only @apollo/gateway creates.
    if (projected === 'invalid' || (projected.hasPropagatedNull && errors.length === 0)) return null;
    return { data: projected.data, errors: errors.length > 0 ? errors : undefined, isLarge: projected.isLarge };
  };
}

/** Returns null if only @apollo/gateway can execute the node. */
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

/** After more than 1,000 errors, the fetches of the nodes that did not start are not sent. */
const maxParallelNodes = 4;

/**
 * Waits for all nodes even if one fails: @apollo/gateway then executes the plan, and must not
 * repeat a fetch whose response has not arrived yet.
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
