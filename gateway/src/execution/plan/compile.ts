import type { FlattenNodePathSegment, PlanNode } from '@graphql-hive/router-query-planner';
import { compileBatchFetch, compileEntityFetch, compileRootFetch, type ExecuteNode, type PlanParts } from './fetch';

export interface CompileParts extends PlanParts {
  readonly maxParallelNodes: number;
}

/** Compiles a query plan. Throws if it has a node that the gateway does not know. */
export function compilePlan(
  parts: CompileParts,
  node: PlanNode,
  path: readonly FlattenNodePathSegment[] = [],
): ExecuteNode {
  switch (node.kind) {
    case 'Fetch':
      return node.requires ? compileEntityFetch(parts, node, node.requires, path) : compileRootFetch(parts, node, path);
    case 'BatchFetch':
      return compileBatchFetch(parts, node);
    case 'Flatten':
      return compilePlan(parts, node.node, [...path, ...node.path]);
    case 'Sequence':
      return inSequence(node.nodes.map((each) => compilePlan(parts, each, path)));
    case 'Parallel':
      return inParallel(
        node.nodes.map((each) => compilePlan(parts, each, path)),
        parts.maxParallelNodes,
      );
    default:
      // @skip and @include are decided before an operation is planned, so no plan has a node with a condition.
      throw new Error(`the query plan has a node of an unknown kind: ${node.kind}`);
  }
}

const inSequence =
  (nodes: readonly ExecuteNode[]): ExecuteNode =>
  async (execution) => {
    for (const execute of nodes) await execute(execution);
  };

/** If all nodes ran at once, none could be skipped after more than 1,000 errors. */
const inParallel =
  (nodes: readonly ExecuteNode[], maxParallelNodes: number): ExecuteNode =>
  async (execution) => {
    const waiting = nodes.values();
    const executeWaiting = async (): Promise<void> => {
      for (const execute of waiting) await execute(execution);
    };
    await Promise.all(Array.from({ length: Math.min(nodes.length, maxParallelNodes) }, executeWaiting));
  };
