import type { Hint, WorkBudget } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import { type DocumentNode, Kind, type OperationDefinitionNode, separateOperations } from 'graphql';

export type Variables = Record<string, unknown>;

/** A valid operation, as a document and an operation name choose it. */
export interface ChosenOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

/** The context of one request that its stages need for logs, traces and subgraphs. */
export interface TraceContext {
  readonly requestId: string;
  /** The id of the API key. Undefined if the request needs no key. */
  readonly keyId?: string | undefined;
  readonly span: Span;
  /** Called with each hint of a subgraph's response: advice for the developer of the client. */
  readonly onHint?: ((hint: Hint) => void) | undefined;
  /** The computing time of the request, in the gateway and subgraphs. Absent without a client. */
  readonly work?: WorkBudget | undefined;
}

export const variableNames = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

/** The result has no prototype, because clients choose the names. */
export function pickVariables(names: readonly string[], sent: Readonly<Variables>): Variables {
  const variables: Variables = Object.create(null);
  for (const name of names) if (Object.hasOwn(sent, name)) variables[name] = sent[name];
  return variables;
}

/** A document of this operation and the fragments that it uses. Introspection has fewer fields. */
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
