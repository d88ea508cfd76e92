import { redactKeys } from '@lectern/serving';
import type { Span } from '@lectern/telemetry';
import { attribute } from '@lectern/telemetry';

const maxNameCharacters = 100;

/**
 * Sets the name and the attributes of the span of a request to a subgraph, as OpenTelemetry's
 * conventions for GraphQL and HTTP say. Marks the span as failed for a status from 500. `body` is
 * the parsed body of the request.
 */
export function describeSpan(span: Span, body: unknown, { status, bytes }: { status: number; bytes: number }): void {
  const { query, operationName, variables } = (body ?? {}) as Readonly<Record<string, unknown>>;
  const type = operationTypeOf(query);
  if (type !== null) span.rename(type);
  span.set({
    ...(type !== null && { [attribute.graphqlOperationType]: type }),
    ...(typeof operationName === 'string' && {
      [attribute.graphqlOperationName]: redactKeys(operationName.slice(0, maxNameCharacters)),
    }),
    [attribute.httpResponseStatusCode]: status,
    [attribute.httpResponseBodySize]: bytes,
    'lectern.entity.count': countEntities(variables),
  });
  if (status >= 500) span.fail(String(status));
}

/**
 * Returns the operation type of a document, by the first word of the document: routers write the
 * operation before its fragments. Returns null if the document starts in another way.
 */
function operationTypeOf(query: unknown): string | null {
  const [, keyword] = (typeof query === 'string' && /^\s*(query\b|mutation\b|\{)/.exec(query)) || [];
  if (keyword === undefined) return null;
  return keyword === 'mutation' ? 'mutation' : 'query';
}

/** Returns the number of entities that the gateway fetches with this request. */
function countEntities(variables: unknown): number {
  const { representations } = (variables ?? {}) as { representations?: unknown };
  return Array.isArray(representations) ? representations.length : 0;
}
