import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind, print, separateOperations, visit } from 'graphql';
import type { PlanNode } from './plan/plan-node';
import { isPlainFetch } from './plan/plan-node';

/** An operation that one subgraph can answer alone, as the client wrote it. */
export interface DirectRoute {
  readonly subgraph: string;
  /** The operation and its fragments, without whatever else stands in the client's document. */
  readonly query: string;
  /** The variables it declares. */
  readonly variables: readonly string[];
}

/**
 * Where the whole plan is one fetch from one subgraph, that subgraph's answer to the client's own operation is the answer:
 * nothing has to be merged, and the shape is already what the client asked for. Null where the plan is anything else.
 */
export function directRoute({
  plan,
  document,
  operation,
}: {
  plan: PlanNode | undefined;
  document: DocumentNode;
  operation: OperationDefinitionNode;
}): DirectRoute | null {
  if (plan?.kind !== 'Fetch' || plan.requires !== undefined || !isPlainFetch(plan)) return null;
  if (isForGateway(document)) return null;
  const own = separateOperations(document)[operation.name?.value ?? ''];
  if (!own) return null;
  const variables = (operation.variableDefinitions ?? []).map((definition) => definition.variable.name.value);
  return { subgraph: plan.serviceName, query: print(own), variables };
}

/**
 * Whether a document holds what only the gateway understands: questions about the schema, for a subgraph would show its own, and parts that are left out
 * for good, which may be of any subgraph and are in no plan.
 */
function isForGateway(document: DocumentNode): boolean {
  let found = false;
  const conditions = { skip: new Set<string>(), include: new Set<string>() };
  visit(document, {
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type') found = true;
    },
    Directive({ name, arguments: given = [] }) {
      const [condition] = given;
      if (!condition || (name.value !== 'skip' && name.value !== 'include')) return;
      if (condition.value.kind === Kind.BOOLEAN) found = true;
      if (condition.value.kind === Kind.VARIABLE) conditions[name.value].add(condition.value.name.value);
    },
  });
  // Included and skipped by one variable, perhaps one within the other: left out for good too.
  return found || [...conditions.skip].some((variable) => conditions.include.has(variable));
}
