import type { IncomingMessage } from 'node:http';
import { ApolloServer, type ApolloServerOptionsWithGateway, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled as noCacheControl,
  ApolloServerPluginInlineTraceDisabled as noInlineTrace,
} from '@apollo/server/plugin/disabled';
import { limitErrors } from '@lectern/execution';
import type { Logger, WorkBudget, WorkContext } from '@lectern/serving';
import type { GraphQLSchema } from 'graphql';
import { type HttpResponse, noStore, responseFacts } from './execute';
import { errorLimit, maskError, type SubgraphOperations } from './operations';
import type { Subgraph } from './subgraph';

/** Executes unusual and invalid requests. If `operations` is null, graphql-js executes all operations. */
export async function startApollo<Context extends WorkContext>(
  subgraph: Subgraph<Context>,
  { operations, maxTokens, log }: { operations: SubgraphOperations | null; maxTokens: number; log: Logger },
) {
  const apollo = new ApolloServer<Context>({
    ...(operations ? { gateway: compiledExecution(subgraph.schema, operations) } : { schema: subgraph.schema }),
    parseOptions: { maxTokens },
    introspection: true,
    persistedQueries: false,
    csrfPrevention: false,
    stopOnTerminationSignals: false,
    includeStacktraceInErrorResponses: false,
    logger: log,
    // Gateways request no inline traces, and the plugin for cache control would wrap all resolvers, which takes time.
    plugins: [noInlineTrace(), noCacheControl(), errorLimitPlugin],
    formatError: (formatted, error) => maskError(formatted, error, log),
  });
  await apollo.start();
  return {
    async execute(request: IncomingMessage, body: unknown, work: WorkBudget): Promise<HttpResponse> {
      const headers = new HeaderMap();
      for (const [name, value] of Object.entries(request.headers))
        if (typeof value === 'string') headers.set(name, value);
      let context: Context | null = null;
      const response = await apollo.executeHTTPGraphQLRequest({
        httpGraphQLRequest: { method: request.method ?? 'POST', headers, search: '', body },
        context: async () => (context = subgraph.createContext(undefined, work)),
      });
      if (response.body.kind !== 'complete') throw new Error('a subgraph does not send incremental responses');
      return {
        status: response.status ?? 200,
        headers: Object.fromEntries(response.headers),
        text: response.body.string,
        ...responseFacts(context),
      };
    },
    stop: () => apollo.stop(),
  };
}

/** Applies to operations that graphql-js executes what compiled operations do themselves with errors. */
const errorLimitPlugin: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async willSendResponse({ response: { body, http } }) {
        if (body.kind !== 'single') return;
        body.singleResult = limitErrors(body.singleResult, errorLimit);
        if (body.singleResult.errors) http.headers.set('cache-control', noStore['cache-control']);
      },
    };
  },
};

/** Lets Apollo Server execute compiled operations: it accepts another executor only as its `gateway`. */
const compiledExecution = (
  schema: GraphQLSchema,
  operations: SubgraphOperations,
): ApolloServerOptionsWithGateway<WorkContext>['gateway'] => ({
  onSchemaLoadOrUpdate(callback) {
    callback({ apiSchema: schema, coreSupergraphSdl: '' });
    return () => {};
  },
  load: async () => ({
    async executor({ source, request, context }) {
      const operation = operations.find(source, request.operationName);
      if (operation.kind === 'invalid') return { errors: operation.errors };
      const { data, errors: failures } = await operation.execute(request.variables ?? {}, () => context);
      return { ...(data !== undefined && { data }), ...(failures && { errors: failures }) };
    },
  }),
  stop: async () => {},
});
