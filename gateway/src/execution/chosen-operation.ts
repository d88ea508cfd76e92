import type { Span } from '@lectern/telemetry';
import { type DocumentNode, Kind, type OperationDefinitionNode, separateOperations } from 'graphql';
import type { SubgraphFetchOptions } from '../transport/replica-fetch';

export type Variables = Record<string, unknown>;

/** A valid document, and the one operation of the document that the operation name chooses. */
export interface ChosenOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

/** The context of one client request, for logs, traces and requests to subgraphs. */
export interface TraceContext extends Omit<SubgraphFetchOptions, 'acceptsRawBody' | 'headers'> {
  readonly span: Span;
}

export const variableNames = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

/** Returns the variables with these names, without a prototype: a client may name a variable `__proto__`. */
export function pickVariables(names: readonly string[], sent: Readonly<Variables>): Variables {
  const variables: Variables = Object.create(null);
  for (const name of names) if (Object.hasOwn(sent, name)) variables[name] = sent[name];
  return variables;
}

/**
 * Returns a document of one operation and the fragments that it uses. `definition` may be a version of the operation
 * with fewer fields.
 */
export function separateOperation(
  operation: ChosenOperation,
  definition: OperationDefinitionNode = operation.definition,
): ChosenOperation {
  const fragments = operation.document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const [document = operation.document] = Object.values(
    separateOperations({ ...operation.document, definitions: [definition, ...fragments] }),
  );
  return { document, definition };
}
