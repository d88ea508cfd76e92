import type { GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { ValidOperation } from '../validation/operation-validator';
import type { Steadiness, VolatileFields } from './cacheability';
import { steadinessOf } from './cacheability';

export interface KeptAnswersOptions {
  schema: GraphQLSchema;
  volatileFields: VolatileFields;
  /** How much memory they may take; 0 keeps none. */
  mostBytes: number;
  /** How long one is kept at most: a bound on how long an answer outlives the texts it came from. */
  seconds: number;
}

/** What an entry costs beside its answer. */
const overheadBytes = 300;

/**
 * Whole answers without errors, as bytes, by document, operation and variables. Read only after the key, the limits and the document were judged,
 * as for any request. They belong to one graph, and are gone with it.
 */
export function createKeptAnswers({ schema, volatileFields, mostBytes, seconds }: KeptAnswersOptions) {
  const kept =
    mostBytes === 0
      ? null
      : new LRUCache<string, Buffer>({
          maxSize: mostBytes,
          sizeCalculation: (body, key) => body.length + 2 * key.length + overheadBytes,
        });
  const steadiness = new WeakMap<OperationDefinitionNode, { found: Steadiness; names: readonly string[] }>();

  const about = ({ document, operation }: ValidOperation) => {
    const known = steadiness.get(operation);
    if (known) return known;
    const made = {
      found: steadinessOf(schema, volatileFields, document, operation),
      names: (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
    };
    steadiness.set(operation, made);
    return made;
  };

  return {
    /** What is asked, where the same question has the same answer as long as the texts are the same; null where no answer may be kept. */
    questionOf(
      judged: ValidOperation,
      variables: Readonly<Record<string, unknown>> | null,
      operationName: string | null,
    ): string | null {
      if (!kept) return null;
      const { found, names } = about(judged);
      if (!found || found.needs.some((name) => (variables?.[name] ?? null) === null)) return null;
      // Only what is declared, and in one order: what a client sends beside it changes no answer.
      const values = variables
        ? names.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]])
        : [];
      return `${judged.hash}\n${operationName ?? ''}\n${values.length === 0 ? '' : JSON.stringify(values)}`;
    },
    get: (key: string): Buffer | undefined => kept?.get(key),
    /** For the whole time, or for what is left of it where it was kept elsewhere before. */
    keep(key: string, body: string | Buffer, ms = seconds * 1_000): void {
      if (!kept) return;
      // A copy of its own: a small buffer is a piece of a larger one, which would be kept whole.
      const own = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
      if (typeof body === 'string') own.write(body);
      else body.copy(own);
      kept.set(key, own, { ttl: ms });
    },
    size: () => ({ answers: kept?.size ?? 0, bytes: kept?.calculatedSize ?? 0 }),
  };
}
