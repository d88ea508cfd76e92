import type { DocumentNode } from 'graphql';

import { Kind, print, visit } from 'graphql';
import type { SubgraphRequest } from '../transport/subgraph-fetch-types';
import type { ChosenOperation, Variables } from './chosen-operation-and-trace-context-types';
import type { PlanNode } from './plan/apollo-query-plan-types';
import { isPlainFetch } from './plan/apollo-query-plan-types';
import { separateOperation } from './separate-operation';

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
export function createPassThrough(operation: ChosenOperation, plan: PlanNode): PassThrough | null {
  if (plan.kind !== 'Fetch' || plan.requires !== undefined || !isPlainFetch(plan)) return null;
  const { document, definition } = separateOperation(operation);
  if (mayNeverExecuteSelection(document)) return null;
  const variables = (definition.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  return { subgraph: plan.serviceName, query: print(document), variables };
}

/**
 * Builds the request to the subgraph. The request carries only declared variables: a subgraph never
 * sees other members of the client's variables.
 */
export function passThroughRequest(
  { query, variables: declared }: PassThrough,
  sent: Variables | null,
): SubgraphRequest {
  if (!sent || declared.length === 0) return { query };
  if (Object.keys(sent).every((name) => declared.includes(name))) return { query, variables: sent };
  const variables: Variables = Object.create(null);
  for (const name of declared) if (Object.hasOwn(sent, name)) variables[name] = sent[name];
  return { query, variables };
}

/**
 * Returns whether the document may have a selection that is never executed, such as with `@skip(if:
 * true)`. Such a selection is in no plan, and may belong to any subgraph. Returns true for every
 * literal condition, also for `@include(if: true)`.
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
