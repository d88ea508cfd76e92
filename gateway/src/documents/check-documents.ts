import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorMessage } from '@lectern/serving';
import type { Rejection } from '../validation/rejection';
import type { TrustedDocument } from './parse-manifest';
import { findDocumentError } from './parse-manifest';

/** A document that no request could execute, and why, for an operator. */
export interface InvalidDocument {
  readonly name: string;
  readonly reason: string;
}

/** The schema and the limits against which documents are checked. */
export interface CheckedGraph {
  checkDocument(query: string): Promise<Rejection | null>;
}

/**
 * Checks documents against a schema and its limits, and plans them before their first request.
 * Returns the invalid documents. Other requests are served after each document, because checking a
 * document takes milliseconds.
 */
export async function checkDocuments(
  graph: CheckedGraph,
  documents: readonly TrustedDocument[],
): Promise<readonly InvalidDocument[]> {
  const invalid: InvalidDocument[] = [];
  for (const document of documents) {
    const reason = findDocumentError(document) ?? (await findRejection(graph, document));
    if (reason !== null) invalid.push({ name: document.name, reason });
    await nextTurn();
  }
  return invalid;
}

const maxShownErrors = 3;

/** Returns why the schema or the limits reject a document, or why it cannot be planned. */
async function findRejection(graph: CheckedGraph, { query }: TrustedDocument): Promise<string | null> {
  try {
    const rejection = await graph.checkDocument(query);
    return rejection && describe(rejection);
  } catch (error) {
    return `it cannot be planned: ${errorMessage(error)}`;
  }
}

function describe(rejection: Rejection): string {
  const messages = rejection.errors.slice(0, maxShownErrors).map(({ message }) => message);
  const more = rejection.errors.length - messages.length;
  return `${messages.join(' ')}${more > 0 ? ` And ${more} more errors.` : ''}`;
}
