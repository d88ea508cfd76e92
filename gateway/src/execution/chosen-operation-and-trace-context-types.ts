import type { Hint } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';

export type Variables = Record<string, unknown>;

/** The operation that a document and an operation name choose. The operation is valid. */
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
}
