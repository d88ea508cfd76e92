import { getOperationAST, Kind, visit } from 'graphql';
import type { DirectiveNode, DocumentNode, FragmentDefinitionNode, GraphQLSchema } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields';
import type { SubgraphAnswer, SubgraphRequest } from '../subgraphs/subgraph-fetch';
import type { Awaitable } from '../when-known';
import { compileEntityFetch, compileRootFetch } from './fetches';
import type { PlanNode } from './plan-node';
import { compileObjectShape } from './shape';
import type { Shape } from './shape';

export type Ask = (subgraph: string, request: SubgraphRequest) => Awaitable<SubgraphAnswer>;

export interface Run {
  /** What all fetches together have found, as subgraphs call it. */
  readonly data: Record<string, unknown>;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ask: Ask;
}

/** One part of a plan. False where something is not as it should be: then the engine has the rest, and tells what. */
export type Step = (run: Run) => Promise<boolean>;

/** The data of the answer; null where the engine has to be asked. */
export type PlanRunner = (variables: Readonly<Record<string, unknown>> | null, ask: Ask) => Promise<Record<string, unknown> | null>;

/**
 * Runs a plan over several subgraphs as the engine does, as long as all goes well: what the engine finds out anew for every call (which variables a fetch
 * has, which keys an entity, which fields the answer) is found out here, once an operation. Whatever goes wrong is the engine's to put into an
 * answer. Null for plans with more in them than fetches, for conditions on variables, interfaces and unions, and for whoever asks for the schema.
 */
export function compilePlan(plan: PlanNode | undefined, schema: GraphQLSchema, document: DocumentNode, operationName: string | null): PlanRunner | null {
  const operation = getOperationAST(document, operationName);
  const root = schema.getQueryType();
  if (!plan || !root || operation?.operation !== 'query' || hasOpenCondition(document)) return null;
  const fragments = Object.fromEntries(document.definitions.flatMap((definition): [string, FragmentDefinitionNode][] => (definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [])));
  const shape = compileObjectShape({ schema, fragments }, root, collectFields(schema, fragments, {}, root, operation.selectionSet));
  const step = compileStep(plan);
  if (!shape || !step) return null;
  return async (variables, ask) => {
    const run: Run = { data: {}, variables: variables ?? {}, ask };
    return (await step(run)) ? shaped(shape, run.data) : null;
  };
}

const shaped = (shape: Shape, data: unknown) => (shape(data) ?? null) as Record<string, unknown> | null;

function compileStep(node: PlanNode): Step | null {
  if (node.kind === 'Fetch') return compileRootFetch(node);
  if (node.kind === 'Flatten') return node.node.kind === 'Fetch' ? compileEntityFetch(node.node, node.path) : null;
  if (node.kind !== 'Sequence' && node.kind !== 'Parallel') return null;
  const steps: Step[] = [];
  for (const each of node.nodes) {
    const step = compileStep(each);
    if (!step) return null;
    steps.push(step);
  }
  return node.kind === 'Sequence' ? inSequence(steps) : sideBySide(steps);
}

const inSequence = (steps: readonly Step[]): Step => async (run) => {
  for (const step of steps) if (!(await step(run))) return false;
  return true;
};

/** All are waited for, also when one fails: the engine must not ask what is under way. */
const sideBySide = (steps: readonly Step[]): Step => async (run) => (await Promise.all(steps.map((step) => step(run)))).every((isGood) => isGood);

/** Whether a variable decides which fields there are. */
function hasOpenCondition(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive({ name, arguments: given = [] }: DirectiveNode) {
      if ((name.value === 'skip' || name.value === 'include') && given.some(({ value }) => value.kind === Kind.VARIABLE)) found = true;
    },
  });
  return found;
}
