import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { composeServices } from '@apollo/composition';
import { Supergraph } from '@apollo/federation-internals';
import { ApolloGateway } from '@apollo/gateway';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { startGateway } from '@lectern/gateway';
import { openKeys } from '@lectern/keys';
import { listen } from '@lectern/serving';
import { graphqlHeaders, send } from '@lectern/testing';
import {
  type GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  getVariableValues,
  graphql,
  parse,
  validate,
} from 'graphql';
import { createHttpSubgraphs } from '../../gateway/src/transport/http-subgraphs';
import { gatewaySettings, issueKey, pepper } from '../support/embedded-lectern';
import type { SubgraphFixture } from './fixture';
import { createReference } from './reference';

/**
 * `reference`: an executor that shows what is right. `apollo`: @apollo/gateway alone. `standard` and `auto`: our gateway
 * with this EXECUTION_STRATEGY.
 */
export const legs = ['reference', 'apollo', 'standard', 'auto'] as const;
export type Leg = (typeof legs)[number];

export interface CaseResponse {
  /** Absent if the request was rejected. */
  data?: unknown;
  errors?: readonly { message: string; path?: readonly (string | number)[] }[];
}

export interface OpenGateway {
  readonly schema: GraphQLSchema;
  request(query: string, variables?: Record<string, unknown>): Promise<CaseResponse>;
  close(): Promise<void>;
}

type Subgraphs = Readonly<Record<string, SubgraphFixture>>;

/**
 * Serves all subgraphs with one server in this process, and opens gateways over them. `close` closes the gateways that
 * are still open.
 */
export async function startLegs() {
  const served = new Map<string, GraphQLSchema>();
  const server = createServer(async (request, response) => {
    const schema = served.get(request.url ?? '');
    if (!schema) return void response.writeHead(404).end();
    const { query, variables } = JSON.parse(await text(request)) as { query: string; variables?: object };
    const result = await graphql({ schema, source: query, variableValues: { ...variables } });
    response
      .writeHead('data' in result ? 200 : 400, { 'content-type': 'application/json' })
      .end(JSON.stringify(result));
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${listening.port}`;
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
  const { token } = await issueKey(keys);
  const opened: OpenGateway[] = [];
  let count = 0;

  const openOurs = async (supergraphSdl: string, strategy: 'auto' | 'standard'): Promise<OpenGateway> => {
    const file = join(folder, `${count}.graphql`);
    writeFileSync(file, supergraphSdl);
    const gateway = await startGateway({
      supergraph: file,
      supergraphPollMs: 0,
      openSubgraphs: (log) =>
        createHttpSubgraphs({ urls: '', secrets: '', timeoutMs: 60_000, hedgeMs: 60_000, connections: 32, log }),
      keys,
      ...gatewaySettings,
      limits: { tokens: 50_000, depth: 50, complexity: 100_000 },
      executionStrategy: strategy,
    });
    const url = `http://127.0.0.1:${gateway.port}/graphql`;
    return {
      schema: apiSchemaOf(supergraphSdl),
      async request(query, variables) {
        const { text: body } = await send(url, {
          headers: graphqlHeaders(token),
          body: JSON.stringify({ query, variables }),
        });
        return JSON.parse(body) as CaseResponse;
      },
      close: () => gateway.close({ graceMs: 0 }),
    };
  };

  const openLeg = async (leg: Leg, sdl: string, schemas: ReadonlyMap<string, GraphQLSchema>, subgraphs: Subgraphs) => {
    if (leg === 'reference') return openReference(apiSchemaOf(sdl), schemas, subgraphs);
    return leg === 'apollo' ? openApollo(sdl, schemas) : openOurs(sdl, leg);
  };

  return {
    /** Opens one leg over its own copy of the subgraphs. Rejects if the leg rejects the supergraph. */
    async open(leg: Leg, subgraphs: Subgraphs): Promise<OpenGateway> {
      count += 1;
      const schemas = new Map<string, GraphQLSchema>();
      const services = Object.entries(subgraphs).map(([name, { typeDefs, resolvers }]) => {
        const schema = buildSubgraphSchema([{ typeDefs: parse(typeDefs), resolvers: resolvers as never }]);
        const path = `/${count}/${name}`;
        served.set(path, schema);
        schemas.set(name, schema);
        return { name, url: origin + path, typeDefs: parse(typeDefs) };
      });
      const { supergraphSdl, errors } = composeServices(services);
      if (!supergraphSdl) throw new Error(errors?.map(({ message }) => message).join('\n'));
      const gateway = await openLeg(leg, supergraphSdl, schemas, subgraphs);
      opened.push(gateway);
      return gateway;
    },
    async close(): Promise<void> {
      await Promise.all(opened.map((gateway) => gateway.close()));
      await listening.close({ graceMs: 0 });
      await keys.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type Legs = Awaited<ReturnType<typeof startLegs>>;

/** The schema that clients see. */
export const apiSchemaOf = (supergraphSdl: string): GraphQLSchema =>
  Supergraph.build(supergraphSdl).apiSchema().toGraphQLJSSchema();

/** Opens @apollo/gateway alone, which calls the subgraphs in this process. */
async function openApollo(supergraphSdl: string, schemas: ReadonlyMap<string, GraphQLSchema>): Promise<OpenGateway> {
  process.env['APOLLO_TELEMETRY_DISABLED'] ??= '1';
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger,
    buildService: ({ name }) => ({
      async process({ request: { query = '', variables } }) {
        const schema = schemas.get(name);
        if (!schema) throw new Error(`the supergraph has no subgraph ${name}`);
        const result = await graphql({ schema, source: query, variableValues: { ...variables } });
        return JSON.parse(JSON.stringify(result)) as object;
      },
    }),
  });
  const { schema, executor } = await gateway.load();
  return {
    schema,
    async request(query, variables) {
      const rejected = rejectionOf(schema, query, variables);
      if (rejected) return rejected;
      const document = parse(query);
      const definition = getOperationAST(document);
      if (!definition) throw new Error('the document has no operation');
      const response = await executor({
        request: { query, variables: variables ?? {} },
        queryHash: query,
        document,
        operation: definition,
        operationName: definition.name?.value ?? null,
        context: {},
        schema,
        source: query,
        logger,
        metrics: {},
        cache: { get: async () => undefined, set: async () => {}, delete: async () => false },
        schemaHash: '' as never,
        overallCachePolicy: undefined,
      });
      const { data, errors = [], extensions } = response as CaseResponse & { extensions?: { valueCompletion?: [] } };
      // @apollo/gateway hides the errors of values that do not fit the schema.
      const all = [...toJson(errors as readonly GraphQLError[]), ...(extensions?.valueCompletion ?? [])];
      return { ...(data !== undefined && { data }), ...(all.length > 0 && { errors: all }) };
    },
    close: () => gateway.stop(),
  };
}

function openReference(
  schema: GraphQLSchema,
  schemas: ReadonlyMap<string, GraphQLSchema>,
  subgraphs: Subgraphs,
): OpenGateway {
  const fixtures = [...schemas].map(([name, own]) => {
    const fixture = subgraphs[name];
    if (!fixture) throw new Error(`there is no subgraph ${name}`);
    return [name, { ...fixture, schema: own }] as const;
  });
  const run = createReference(schema, new Map(fixtures));
  return {
    schema,
    request: async (query, variables) =>
      rejectionOf(schema, query, variables) ??
      (JSON.parse(JSON.stringify(await run(query, variables))) as CaseResponse),
    close: async () => {},
  };
}

/** Returns the response to a document or to variables that are not valid, else null. */
function rejectionOf(
  schema: GraphQLSchema,
  query: string,
  variables: Record<string, unknown> = {},
): CaseResponse | null {
  const document = parse(query);
  const rejected = validate(schema, document);
  if (rejected.length > 0) return { errors: toJson(rejected) };
  const definitions = getOperationAST(document)?.variableDefinitions ?? [];
  const { errors } = getVariableValues(schema, definitions, variables);
  return errors ? { errors: toJson(errors) } : null;
}

const toJson = (errors: readonly GraphQLError[]) =>
  JSON.parse(JSON.stringify(errors)) as NonNullable<CaseResponse['errors']>;
