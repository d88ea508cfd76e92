import { setImmediate as nextTurn } from 'node:timers/promises';
import { ApolloGateway } from '@apollo/gateway';
import { errors } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import { noSpan } from '@lectern/telemetry';
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  isAbstractType,
  Kind,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { readRequiredArguments } from '../supergraph/types';
import type { SubgraphFetch } from '../transport/replica-fetch';
import { fetchOrNull, unavailableResponse } from './measured-fetch';
import { type NormalizedOperation, typenameField } from './normalize';
import type { ExecutableRequest, RawError, RawResponse, TraceContext } from './operation';
import { conflictingRequirements } from './plan/representation';
import type { Plan, PlanOperation } from './plan-operation';

/** The context that the caller passes to @apollo/gateway, which passes it on to its data sources. */
interface DataSourceContext extends TraceContext {
  /** Whether the operation is only planned, so that nothing is fetched. */
  readonly isPlanning: boolean;
}

/** The constructor of @apollo/gateway requires this cache, but @apollo/gateway does not use it. */
const noCache = { get: async () => undefined, set: async () => {}, delete: async () => false };

/**
 * Opens @apollo/gateway over one supergraph, with its defaults. Only this file imports it. Rejects if the supergraph is
 * invalid.
 */
export async function openApolloGateway(
  supergraphSdl: string,
  { supergraph, fetchOf, log }: { supergraph: DocumentNode; fetchOf: (subgraph: string) => SubgraphFetch; log: Logger },
) {
  const requiredArguments = readRequiredArguments(supergraph);
  // Without this variable, @apollo/gateway sends network requests to detect the cloud provider.
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  // @apollo/gateway logs lines as `info` at its start that operators do not need, so these are logged as `debug`.
  const quietLog = {
    debug: log.debug.bind(log),
    info: log.debug.bind(log),
    warn: log.warn.bind(log),
    error: log.error.bind(log),
  };
  const gateway = new ApolloGateway({
    supergraphSdl,
    buildService: ({ name }) => ({
      async process({ request: { query = '', variables, operationName }, context }) {
        const { isPlanning, ...options } = context as DataSourceContext;
        if (isPlanning) return { data: null };
        const request = { query, variables, operationName };
        const fetched = await fetchOrNull(fetchOf(name), request, options);
        return (fetched ?? unavailableResponse(request)) as { data: Record<string, unknown> };
      },
    }),
    // If true, a client could request the query plan with a header.
    __exposeQueryPlanExperimental: false,
    logger: quietLog,
  });
  const { schema, executor } = await gateway.load();
  await nextTurn();

  const run = async (
    { planned, renameVariables }: NormalizedOperation,
    { variables }: Pick<ExecutableRequest, 'variables'>,
    context: DataSourceContext,
  ): Promise<RawResponse> => {
    if (!planned) return { data: {} };
    const definition = addTypenames(planned, schema);
    const query = print(definition);
    const result = await executor({
      request: { query, variables: { ...renameVariables(variables) } },
      queryHash: query,
      document: { kind: Kind.DOCUMENT, definitions: [definition] },
      operation: definition,
      operationName: null,
      context,
      schema,
      source: query,
      logger: quietLog,
      metrics: {},
      cache: noCache,
      schemaHash: '' as never,
      overallCachePolicy: undefined,
    });
    return withMisfits(result as GatewayResult);
  };

  const planOperation: PlanOperation = async (_, normalized) => {
    if (normalized.planned) checkRequirements(normalized.planned, schema, requiredArguments);
    await run(normalized, { variables: null }, { requestId: 'plan', span: noSpan, isPlanning: true });
    const plan: Plan = {
      kind: 'apollo-gateway',
      execute: (request, context) => run(normalized, request, { ...context, isPlanning: false }),
    };
    return plan;
  };
  return { schema, planOperation, close: () => gateway.stop() };
}

/** Adds `__typename` to each selection of an interface or union, because a response has only what is selected. */
function addTypenames(operation: OperationDefinitionNode, schema: GraphQLSchema): OperationDefinitionNode {
  const types = new TypeInfo(schema);
  return visit(
    operation,
    visitWithTypeInfo(types, {
      SelectionSet: (set) =>
        isAbstractType(types.getParentType()) ? { ...set, selections: [typenameField, ...set.selections] } : undefined,
    }),
  );
}

/** Rejects fields of one type that require a field with different arguments: all would get one of the values. */
function checkRequirements(
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
  requiredArguments: ReturnType<typeof readRequiredArguments>,
): void {
  const types = new TypeInfo(schema);
  const known = new Map<string, string>();
  const checkField = ({ name }: FieldNode): void => {
    const type = types.getParentType()?.name ?? '';
    for (const [field, text] of requiredArguments.get(`${type}.${name.value}`) ?? []) {
      const place = `${type}.${field}`;
      if ((known.get(place) ?? text) !== text) throw conflictingRequirements(field);
      known.set(place, text);
    }
  };
  if (requiredArguments.size > 0) visit(operation, visitWithTypeInfo(types, { Field: checkField }));
}

type GatewayResult = RawResponse & { extensions?: { valueCompletion?: readonly RawError[] } };

/** @apollo/gateway replaces a value that does not fit the schema by null, and hides the error in `extensions`. */
function withMisfits(result: GatewayResult): RawResponse {
  const misfits = result.extensions?.valueCompletion ?? [];
  const { message: unavailable, extensions: code } = errors.subgraphUnavailable();
  // The paths of errors have `@` for each item of a list, beside the indexes.
  const pathOf = (path: RawError['path']) => path?.filter((step) => step !== '@');
  return {
    data: result.data,
    errors: [
      ...(result.errors ?? []).map(({ message, path, extensions }) => ({ message, path: pathOf(path), extensions })),
      ...misfits.map(({ path }) => ({ message: unavailable, path: pathOf(path), extensions: { ...code } })),
    ],
  };
}
