import type { PlanNode } from '@graphql-hive/router-query-planner';
import { fragmentsByName } from '@lectern/execution';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
} from 'graphql';
import { type Awaitable, thenMaybe } from '../shared/awaitable';
import { readKeys, readSubtypes } from '../supergraph/types';
import type { NormalizedOperation } from './normalize';
import type { ExecutableOperation, ExecutableRequest, ExecutionContext, RawResponse } from './operation';
import { compilePlan } from './plan/compile';
import type { ExecuteNode } from './plan/fetch';
import { createMerge } from './plan/merge';
import type { Planner } from './planner';

/** What executes an operation, for one combination of values of @skip and @include. */
export type Plan =
  | { readonly kind: 'pass-through'; readonly fetch: PassThrough }
  | { readonly kind: 'query-plan'; readonly execute: ExecuteNode }
  | {
      readonly kind: 'apollo-gateway';
      readonly execute: (request: ExecutableRequest, context: ExecutionContext) => Promise<RawResponse>;
    };

/** Makes the plan of an operation. Throws or rejects if there is none. */
export type PlanOperation = (operation: ExecutableOperation, normalized: NormalizedOperation) => Awaitable<Plan>;

/** A fetch whose response is the response to the client, unless a subgraph says otherwise. */
export interface PassThrough {
  readonly subgraph: string;
  readonly query: string;
  readonly variables: readonly string[];
}

/** An estimate of the memory of a plan, in bytes for each character of its operations. */
const bytesPerPlanCharacter = 16;

export function createPlanOperation(
  planner: Planner,
  supergraph: DocumentNode,
  maxParallelNodes: number,
): PlanOperation {
  const { isSubtype, objectTypes } = readSubtypes(supergraph);
  const parts = { isSubtype, keysOf: readKeys(supergraph), merge: createMerge(objectTypes), maxParallelNodes };
  const choosePlan = (
    operation: ExecutableOperation,
    normalized: NormalizedOperation,
    node: PlanNode | undefined,
  ): Plan => {
    if (!node) return { kind: 'query-plan', execute: async () => {} };
    operation.grow(JSON.stringify(node).length * bytesPerPlanCharacter);
    const fetch = passThroughOf(normalized, node);
    return fetch ? { kind: 'pass-through', fetch } : { kind: 'query-plan', execute: compilePlan(parts, node) };
  };
  const planOne = (definition: OperationDefinitionNode) => planner.plan(print(definition));
  /** Plans each field of a mutation on its own, because one must not begin before all before it are complete. */
  const planMutation = async (definition: OperationDefinitionNode): Promise<PlanNode> => {
    const planned = definition.selectionSet.selections.map((field) =>
      planOne({ ...definition, selectionSet: { kind: Kind.SELECTION_SET, selections: [field] } }),
    );
    return { kind: 'Sequence', nodes: (await Promise.all(planned)).filter((node) => node !== undefined) };
  };
  return (operation, normalized) => {
    const { planned } = normalized;
    if (!planned) return choosePlan(operation, normalized, undefined);
    const node = planned.operation === 'mutation' ? planMutation(planned) : planOne(planned);
    return thenMaybe(node, (found) => choosePlan(operation, normalized, found));
  };
}

/**
 * Returns the only fetch of a plan if its response is the response to the client: nothing is merged or hidden, and the
 * fields are in the order of the operation.
 */
function passThroughOf({ isUnchanged, planned }: NormalizedOperation, node: PlanNode): PassThrough | null {
  if (!isUnchanged || !planned || planned.operation !== 'query') return null;
  if (node.kind !== 'Fetch' || node.requires || node.inputRewrites || node.outputRewrites) return null;
  const document = parse(node.operation, { noLocation: true });
  const definition = getOperationAST(document);
  if (!definition || keysIn(definition.selectionSet, fragmentsByName(document)) !== keysIn(planned.selectionSet, {}))
    return null;
  return { subgraph: node.serviceName, query: node.operation, variables: node.variableUsages ?? [] };
}

/** Returns the response keys of a selection as text, in their order. A plan has a fragment for equal selections. */
const keysIn = (
  { selections }: SelectionSetNode,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): string =>
  selections
    .map((each) => {
      if (each.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments[each.name.value];
        return fragment ? keysIn(fragment.selectionSet, fragments) : '';
      }
      if (each.kind === Kind.INLINE_FRAGMENT) return keysIn(each.selectionSet, fragments);
      return `${(each.alias ?? each.name).value}${each.selectionSet ? `{${keysIn(each.selectionSet, fragments)}}` : ''}`;
    })
    .join(' ');
