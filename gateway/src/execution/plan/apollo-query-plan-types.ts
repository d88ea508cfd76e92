/** A query plan of @apollo/gateway, with the members that the gateway reads. */
export interface QueryPlan {
  /** The root node. Absent if the operation needs no subgraph. */
  readonly node?: PlanNode | undefined;
}

export type PlanNode = FetchNode | FlattenNode | CompositeNode | ConditionNode | UnsupportedNode;

export interface FetchNode {
  kind: 'Fetch';
  serviceName: string;
  operation: string;
  operationName?: string | undefined;
  variableUsages?: readonly string[] | undefined;
  /** The fields of the representations, in a fetch of entities. */
  requires?: readonly RequiredSelection[] | undefined;
  inputRewrites?: readonly unknown[] | undefined;
  outputRewrites?: readonly unknown[] | undefined;
  contextRewrites?: readonly unknown[] | undefined;
}

export interface FlattenNode {
  kind: 'Flatten';
  /** The path of the entities: response keys, and @ for each item of a list. */
  path: readonly (string | number)[];
  node: PlanNode;
}

export interface CompositeNode {
  kind: 'Sequence' | 'Parallel';
  nodes: readonly PlanNode[];
}

export interface ConditionNode {
  kind: 'Condition';
  /** The name of the variable that decides whether the node is executed. */
  condition: string;
  ifClause?: PlanNode | undefined;
  elseClause?: PlanNode | undefined;
}

interface UnsupportedNode {
  kind: 'Defer' | 'Subscription';
}

export interface RequiredSelection {
  readonly kind: string;
  readonly name?: string;
  readonly alias?: string | undefined;
  readonly typeCondition?: string | undefined;
  readonly selections?: readonly RequiredSelection[] | undefined;
}

const isEmpty = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

/** Whether the fetch's request and response need no rewriting. */
export const isPlainFetch = ({ inputRewrites, outputRewrites, contextRewrites }: FetchNode): boolean =>
  [inputRewrites, outputRewrites, contextRewrites].every(isEmpty);
