import type { PlanNode, QueryPlanner } from '@graphql-hive/router-query-planner';
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
import { startPlannerProcess } from './planner-process';

/** The planner of Hive Router, in native code. Null on a platform for which its package has no binary. */
export function loadPlannerAddon(): typeof QueryPlanner | null {
  try {
    // oxlint-disable-next-line typescript/no-require-imports -- an import would end the process without a binary
    return (require('@graphql-hive/router-query-planner') as { QueryPlanner: typeof QueryPlanner }).QueryPlanner;
  } catch {
    return null;
  }
}

export interface Planner {
  /** The schema that clients see. It lacks the directives of the supergraph. */
  readonly schema: GraphQLSchema;
  /** Plans an operation, written as a document. Throws or rejects if it has no plan. */
  plan(operation: string): Awaitable<PlanNode | undefined>;
  close(): void;
}

/**
 * Opens the planner of a supergraph, or rejects. Its native code can end the process for fragments on interfaces and
 * unions, so a supergraph with such types is planned in a process of its own.
 */
export async function openPlanner(
  addon: typeof QueryPlanner,
  supergraphSdl: string,
  { definitions }: DocumentNode,
): Promise<Planner> {
  const hasAbstractTypes = definitions.some(
    ({ kind }) => kind === Kind.INTERFACE_TYPE_DEFINITION || kind === Kind.UNION_TYPE_DEFINITION,
  );
  if (!hasAbstractTypes) return createPlanner(addon, supergraphSdl);
  const { clientSchema, plan, close } = await startPlannerProcess(supergraphSdl);
  return { schema: readClientSchema(clientSchema), plan, close };
}

function createPlanner(addon: typeof QueryPlanner, supergraphSdl: string): Planner {
  const planner = new addon(supergraphSdl);
  const noLabels = new Set<string>();
  return {
    schema: readClientSchema(planner.consumerSchema),
    // Measured: planning the 600 fields that the limits allow takes 5 to 13 ms, and up to 37 ms in a new process.
    plan: (operation) => planner.plan(operation, null, noLabels, 0).node,
    close() {},
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
  const known = parse(sdl, { noLocation: true }).definitions.filter(isOfClients);
  const names = new Set(known.map((definition) => ('name' in definition ? definition.name?.value : undefined)));
  const definitions = known.map((definition) => {
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      return { ...definition, fields: definition.fields?.filter(({ name }) => !name.value.startsWith('__')) ?? [] };
    // The text still names the inaccessible members of a union.
    return definition.kind === Kind.UNION_TYPE_DEFINITION
      ? { ...definition, types: definition.types?.filter(({ name }) => names.has(name.value)) ?? [] }
      : definition;
  });
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions };
  return buildASTSchema(document, { assumeValidSDL: true, assumeValid: true });
}
