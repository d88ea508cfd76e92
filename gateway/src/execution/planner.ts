import type { PlanNode, QueryPlan, QueryPlanner } from '@graphql-hive/router-query-planner';
import { errors } from '@lectern/errors';
import {
  buildASTSchema,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  specifiedScalarTypes,
} from 'graphql';
import type { Awaitable } from '../shared/awaitable';

/** The planner of Hive Router, in native code. Null on a platform for which its package has no binary. */
export function loadPlannerAddon(): typeof QueryPlanner | null {
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- an import would end the process without a binary
    return (require('@graphql-hive/router-query-planner') as { QueryPlanner: typeof QueryPlanner }).QueryPlanner;
  } catch {
    return null;
  }
}

/**
 * The maximum `planningSize` of an operation that is planned in the main thread. Measured: planning 100 fields takes
 * up to 5 ms.
 */
const maxSizeInMainThread = 100;

/** How long planning may take, in milliseconds. */
const maxPlanningMs = 2_000;

/** Creates the planner of a supergraph. Throws the reason if the supergraph is invalid. */
export function createPlanner(addon: typeof QueryPlanner, supergraphSdl: string) {
  const planner = new addon(supergraphSdl);
  const noLabels = new Set<string>();
  return {
    /** The schema that clients see. It lacks the directives of the supergraph. */
    schema: readClientSchema(planner.consumerSchema),
    /**
     * Plans the operation of a document. `planningSize` estimates how long this takes: a large operation is planned in
     * another thread.
     */
    plan(document: string, planningSize: number): Awaitable<PlanNode | undefined> {
      if (planningSize <= maxSizeInMainThread) return planner.plan(document, null, noLabels, 0).node;
      const signal = AbortSignal.timeout(maxPlanningMs);
      return planner.planAsync(document, null, noLabels, 0, signal).then(
        ({ node }: QueryPlan) => node,
        (error: unknown) => {
          throw signal.aborted ? errors.requestTooExpensive(maxPlanningMs) : error;
        },
      );
    },
  };
}

const builtInScalars: ReadonlySet<string> = new Set(specifiedScalarTypes.map(({ name }) => name));

/** Builds the schema of the clients from the planner's text, which has definitions that graphql-js has built in. */
function readClientSchema(sdl: string): GraphQLSchema {
  const isOfClients = (definition: DefinitionNode): boolean => {
    if (definition.kind === Kind.DIRECTIVE_DEFINITION) return false;
    const name = 'name' in definition ? (definition.name?.value ?? '') : '';
    return !builtInScalars.has(name) && !/^(__|join__|link__)/.test(name);
  };
  const definitions = parse(sdl, { noLocation: true })
    .definitions.filter(isOfClients)
    .map((definition) =>
      definition.kind === Kind.OBJECT_TYPE_DEFINITION
        ? { ...definition, fields: definition.fields?.filter(({ name }) => !name.value.startsWith('__')) ?? [] }
        : definition,
    );
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  return buildASTSchema(document, { assumeValidSDL: true });
}
