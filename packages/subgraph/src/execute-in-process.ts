import { errors } from '@lectern/errors';
import type { Logger } from '@lectern/serving';
import { execute, GraphQLError, parse, validate } from 'graphql';
import type { DocumentNode, ExecutionResult, GraphQLFormattedError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { maskError } from './mask-error';
import type { Subgraph } from './subgraph';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface SubgraphAnswer {
  data?: Record<string, unknown> | null;
  errors?: GraphQLFormattedError[];
}

export type Execute = (request: SubgraphRequest) => Promise<SubgraphAnswer>;

/** A gateway sends few distinct documents, each of them often. By characters: a syntax tree takes some forty times its text's memory. */
const charactersKept = 1_000_000;

/**
 * Asks a subgraph in this process: the same schema, context and errors as over HTTP, without the HTTP.
 * Documents are parsed and validated once.
 */
export function executeInProcess<Context>(subgraph: Subgraph<Context>, log: Logger): Execute {
  const documents = new LRUCache<string, DocumentNode | readonly GraphQLError[]>({ maxSize: charactersKept, sizeCalculation: (_, text) => text.length + 100 });

  const prepare = (query: string): DocumentNode | readonly GraphQLError[] => {
    const kept = documents.get(query);
    if (kept) return kept;
    const prepared = parsedAndValid(subgraph, query);
    documents.set(query, prepared);
    return prepared;
  };

  const mask = (error: GraphQLError) => maskError(error.toJSON(), error, log);

  return async ({ query, variables, operationName }) => {
    const document = prepare(query);
    if (!('kind' in document)) return { errors: document.map(mask) };
    const result: ExecutionResult = await execute({
      schema: subgraph.schema,
      document,
      variableValues: variables ?? null,
      operationName: operationName ?? null,
      contextValue: subgraph.createContext(),
    });
    if (!result.errors) return { data: result.data ?? null };
    // Without `data` nothing was executed: the variables did not fit their types.
    if (!('data' in result)) return { errors: result.errors.map((error) => mask(withCode(error, errors.badUserInput.code))) };
    return { data: result.data ?? null, errors: result.errors.map(mask) };
  };
}

function parsedAndValid(subgraph: Subgraph<never> | Subgraph, query: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parse(query, { noLocation: true });
    const faults = validate(subgraph.schema, document);
    return faults.length === 0 ? document : faults.map((error) => withCode(error, errors.validationFailed.code));
  } catch (error) {
    if (error instanceof GraphQLError) return [withCode(error, errors.parseFailed.code)];
    throw error;
  }
}

const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, { nodes: error.nodes ?? null, source: error.source ?? null, positions: error.positions ?? null, extensions: { code } });
