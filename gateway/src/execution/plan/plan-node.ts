/** The part of the engine's query plans that is looked at; its own types have more. */
export type PlanNode = FetchNode | FlattenNode | StepsNode | ConditionNode | OtherNode;

export interface FetchNode {
  kind: 'Fetch';
  serviceName: string;
  operation: string;
  operationName?: string | undefined;
  variableUsages?: readonly string[] | undefined;
  /** What an entity is asked for by. */
  requires?: readonly RequiredNode[] | undefined;
  inputRewrites?: readonly unknown[] | undefined;
  outputRewrites?: readonly unknown[] | undefined;
  contextRewrites?: readonly unknown[] | undefined;
}

export interface FlattenNode {
  kind: 'Flatten';
  /** Names of fields, and @ for every item of a list. */
  path: readonly (string | number)[];
  node: PlanNode;
}

export interface StepsNode {
  kind: 'Sequence' | 'Parallel';
  nodes: readonly PlanNode[];
}

export interface ConditionNode {
  kind: 'Condition';
  /** The name of a variable. */
  condition: string;
  ifClause?: PlanNode | undefined;
  elseClause?: PlanNode | undefined;
}

interface OtherNode {
  kind: 'Defer' | 'Subscription';
}

export interface RequiredNode {
  readonly kind: string;
  readonly name?: string;
  readonly alias?: string | undefined;
  readonly typeCondition?: string | undefined;
  readonly selections?: readonly RequiredNode[] | undefined;
}

const isNone = (list: readonly unknown[] | undefined): boolean => list === undefined || list.length === 0;

/** Whether the answer to this fetch is what is wanted, as it comes. */
export const isPlainFetch = ({ inputRewrites, outputRewrites, contextRewrites }: FetchNode): boolean =>
  [inputRewrites, outputRewrites, contextRewrites].every(isNone);
