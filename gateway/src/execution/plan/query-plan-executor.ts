import type { CompiledKept } from '@lectern/execution';
import { charactersPerField, createVariants, fragmentsOf } from '@lectern/execution';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields';
import { compileEntityFetch, compileRootFetch } from './fetch-nodes';
import type { PlanNode } from './plan-node';
import type { Shape } from './projection';
import { compileObjectShape } from './projection';
import type { Ask, Run, Step } from './step';

type Variables = Readonly<Record<string, unknown>>;

/** What a plan comes down to under some conditions; null where it is the engine's. */
type CompiledPlan = { readonly step: Step; readonly shape: Shape } | { readonly step: null };

export type PlansKept = CompiledKept<CompiledPlan>;

/** A plan, and how long it is as JSON. */
export interface KeptPlan {
  readonly plan: PlanNode;
  readonly characters: number;
}

/** The data of the answer; null where the engine has to be asked. */
export type PlanRunner = (
  given: { variables: Variables | null; coerced: Variables },
  ask: Ask,
) => Promise<Record<string, unknown> | null>;

export interface PlanParts {
  plan: PlanNode | undefined;
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/**
 * Runs a plan over several subgraphs as the engine does, as long as all goes well: what the engine finds out anew for every call (which variables a fetch
 * has, which keys an entity, which fields the answer) is found out here, once an operation. Whatever goes wrong is the engine's to put into an
 * answer. Left to it as well are plans with more in them than fetches, interfaces and unions, and questions about the schema. A plan that is not kept
 * any more is known again when the engine has been asked.
 */
export function compilePlan(
  { schema, document, operation }: Omit<PlanParts, 'plan'>,
  planKept: () => KeptPlan | undefined,
  kept: PlansKept,
): PlanRunner | null {
  const root = schema.getQueryType();
  if (!root || operation.operation !== 'query') return null;
  const fragments = fragmentsOf(document);
  const variantFor = createVariants<CompiledPlan>({
    document,
    operation,
    kept,
    compile(conditions, onField) {
      const known = planKept();
      if (!known) return null;
      // A fetch's own text stays with its step.
      onField(Math.ceil(known.characters / charactersPerField));
      const shape = compileObjectShape(
        { schema, fragments, conditions, onField },
        root,
        collectFields(schema, fragments, conditions, root, operation.selectionSet),
      );
      const step = compileStep(known.plan, conditions);
      return shape && step ? { step, shape } : { step: null };
    },
  });
  return async ({ variables, coerced }, ask) => {
    const compiled = variantFor(coerced);
    if (!compiled?.step) return null;
    const run: Run = { data: {}, variables: variables ?? {}, ask };
    return (await compiled.step(run)) ? shaped(compiled.shape, run.data) : null;
  };
}

const shaped = (shape: Shape, data: unknown) => (shape(data) ?? null) as Record<string, unknown> | null;

function compileStep(node: PlanNode, conditions: Variables): Step | null {
  switch (node.kind) {
    case 'Fetch':
      return compileRootFetch(node);
    case 'Flatten':
      return node.node.kind === 'Fetch' ? compileEntityFetch(node.node, node.path) : null;
    case 'Sequence':
    case 'Parallel': {
      const steps: Step[] = [];
      for (const each of node.nodes) {
        const step = compileStep(each, conditions);
        if (!step) return null;
        steps.push(step);
      }
      return node.kind === 'Sequence' ? inSequence(steps) : sideBySide(steps);
    }
    case 'Condition': {
      const chosen = conditions[node.condition] === true ? node.ifClause : node.elseClause;
      return chosen ? compileStep(chosen, conditions) : nothing;
    }
    default:
      return null;
  }
}

const nothing: Step = async () => true;

const inSequence =
  (steps: readonly Step[]): Step =>
  async (run) => {
    for (const step of steps) if (!(await step(run))) return false;
    return true;
  };

/** All are waited for, also when one fails: the engine must not ask what is under way. */
const sideBySide =
  (steps: readonly Step[]): Step =>
  async (run) =>
    (await Promise.all(steps.map((step) => step(run)))).every((isGood) => isGood);
