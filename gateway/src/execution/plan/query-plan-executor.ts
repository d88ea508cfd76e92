import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Grow } from '@lectern/execution';
import { createConditionVariants } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import type { ChosenOperation, Variables } from '../execution-types';
import type { ExecuteNode, FetchFromSubgraph, PlanExecution } from './fetch-nodes';
import { compileEntityFetch, compileRootFetch } from './fetch-nodes';
import type { PlanNode } from './plan-nodes';
import type { Project } from './projection';
import { compileProjection } from './projection';

/**
 * A plan that is compiled for some values of the operation's conditions. A member is null if the
 * plan or the operation has a part that only @apollo/gateway can execute.
 */
interface CompiledPlan {
  readonly execute: ExecuteNode | null;
  readonly project: Project | null;
}

/**
 * Resolves to the data of the response. Resolves to null if @apollo/gateway has to execute the
 * plan.
 */
export type ExecuteQueryPlan = (
  request: { readonly variables: Variables | null; readonly coercedVariables: Readonly<Variables> },
  fetch: FetchFromSubgraph,
) => Promise<Record<string, unknown> | null>;

/**
 * Compiles a plan over several subgraphs. What @apollo/gateway finds out for each request is found
 * out once per operation: the variables of each fetch, the keys of each entity, and the fields of
 * the response. On any error the compiled plan stops, and @apollo/gateway executes the plan with
 * the responses fetched so far. Returns null for mutations. @apollo/gateway also executes plans
 * with rewrites or @defer, and operations that select fields of interfaces, unions or the schema.
 */
export function compileQueryPlan(
  schema: GraphQLSchema,
  operation: ChosenOperation & { readonly grow: Grow },
  plan: PlanNode,
): ExecuteQueryPlan | null {
  if (operation.definition.operation !== 'query') return null;
  const variantFor = createConditionVariants<CompiledPlan>({
    document: operation.document,
    operation: operation.definition,
    grow: operation.grow,
    compile: (conditions, onField) => ({
      project: compileProjection(schema, operation, conditions, onField),
      execute: compileNode(plan, conditions),
    }),
  });
  return async ({ variables, coercedVariables }, fetch) => {
    const compiled = variantFor(coercedVariables);
    if (!compiled?.execute || !compiled.project) return null;
    const execution: PlanExecution = { data: {}, variables: variables ?? {}, fetch, isLarge: false };
    if (!(await compiled.execute(execution))) return null;
    // To merge, to project and to serialize a large response takes up to 30 ms each.
    if (execution.isLarge) await nextTurn();
    const data = (compiled.project(execution.data) ?? null) as Record<string, unknown> | null;
    if (execution.isLarge) await nextTurn();
    return data;
  };
}

function compileNode(node: PlanNode, conditions: Variables): ExecuteNode | null {
  switch (node.kind) {
    case 'Fetch':
      return compileRootFetch(node);
    case 'Flatten':
      return node.node.kind === 'Fetch' ? compileEntityFetch(node.node, node.path) : null;
    case 'Sequence':
    case 'Parallel': {
      const nodes: ExecuteNode[] = [];
      for (const each of node.nodes) {
        const compiled = compileNode(each, conditions);
        if (!compiled) return null;
        nodes.push(compiled);
      }
      return node.kind === 'Sequence' ? inSequence(nodes) : inParallel(nodes);
    }
    case 'Condition': {
      const clause = conditions[node.condition] === true ? node.ifClause : node.elseClause;
      return clause ? compileNode(clause, conditions) : succeed;
    }
    default:
      return null;
  }
}

const succeed: ExecuteNode = async () => true;

const inSequence =
  (nodes: readonly ExecuteNode[]): ExecuteNode =>
  async (execution) => {
    for (const execute of nodes) if (!(await execute(execution))) return false;
    return true;
  };

/**
 * Waits for all nodes even if one fails: @apollo/gateway must not repeat a fetch that is in flight.
 */
const inParallel =
  (nodes: readonly ExecuteNode[]): ExecuteNode =>
  async (execution) =>
    (await Promise.all(nodes.map((execute) => execute(execution)))).every((isSuccess) => isSuccess);
