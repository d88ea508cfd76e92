import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/resolverMap';
import type { OperationInfo } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import { gql } from 'graphql-tag';

/** One subgraph, ready to be asked in this process (`executeInProcess`) or over HTTP (`serveSubgraph`). */
export interface Subgraph<Context = unknown> {
  /** Its name in supergraph.yaml. */
  readonly name: string;
  readonly schema: GraphQLSchema;
  /** The digest of the datasetVersion that it serves, or whose words it has indexed: a gateway compares those of its subgraphs. Null where it has none. */
  readonly datasetVersion: string | null;
  /** Made anew for every request: what one request may use up, and its batches. */
  createContext(about?: OperationInfo): Context;
  /** Closes what it has open: files, pools, threads. */
  close(): void | Promise<void>;
}

export interface SubgraphParts<Context> {
  name: string;
  /** The path of schema.graphql. */
  schemaFile: string;
  resolvers: GraphQLResolverMap<Context>;
  datasetVersion?: string;
  createContext: (about?: OperationInfo) => Context;
  close: () => void | Promise<void>;
}

/** Turns a schema file and its resolvers into a federated subgraph. A resolver for a field that the schema lacks throws here, at start. */
export function createSubgraph<Context>({
  name,
  schemaFile,
  resolvers,
  datasetVersion,
  createContext,
  close,
}: SubgraphParts<Context>): Subgraph<Context> {
  const typeDefs = gql(readFileSync(schemaFile, 'utf8'));
  return {
    name,
    schema: buildSubgraphSchema({ typeDefs, resolvers: resolvers as GraphQLResolverMap<unknown> }),
    datasetVersion: datasetVersion ?? null,
    createContext,
    close,
  };
}
