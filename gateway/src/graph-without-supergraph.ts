import { errors } from '@lectern/errors';
import { GraphQLSchema } from 'graphql';
import type { Graph } from './create-graph-from-supergraph';
import { transportWithoutReplicas } from './transport/stubs';

const rejectRequest = (): never => {
  throw errors.supergraphUnavailable();
};

const { replicas, versionSkew, translationSkew, health, probed, close } = transportWithoutReplicas;

/**
 * The graph of a gateway that has no supergraph yet: it has no schema, and rejects every request.
 */
export const graphWithoutSupergraph: Graph = {
  schema: new GraphQLSchema({}),
  fieldCosts: new Map(),
  subgraphs: new Map(),
  schemaDigests: new Map(),
  readSdls: null,
  prepare: rejectRequest,
  // Trusted documents are checked again when the first supergraph is served.
  checkDocument: async () => null,
  cache: { keyFor: rejectRequest, get: rejectRequest, set: rejectRequest, setCompressed: rejectRequest },
  limitInFlight: rejectRequest,
  execute: rejectRequest,
  format: rejectRequest,
  state: () => ({
    responseCache: { responses: 0, bytes: 0 },
    replicas: replicas(),
    versionSkew: versionSkew(),
    translationSkew: translationSkew(),
    health: health(),
  }),
  probed,
  isSubgraphAvailable: async () => false,
  close,
};
