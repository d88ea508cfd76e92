import { fragmentsOf } from '@lectern/execution';
import type { GraphQLSchema } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields';
import type { ValidOperation } from '../validation/operation-validator';
import { compileObjectShape } from './plan/projection';

/**
 * Data with its fields in the order in which the specification collects them, which is that of a subgraph's own answers and of plans that are run here. The engine
 * puts what several fragments ask of one type together, so that one operation would have its fields now in one order and now in another.
 * Data of an operation that has no shape beforehand, with interfaces or questions about the schema, stays as it is.
 */
export function inFieldOrder(
  schema: GraphQLSchema,
  { document, operation, coerced }: ValidOperation,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const root = schema.getRootType(operation.operation);
  if (!root) return data;
  const fragments = fragmentsOf(document);
  const conditions = { ...coerced };
  const shape = compileObjectShape(
    { schema, fragments, conditions, onField: () => {} },
    root,
    collectFields(schema, fragments, conditions, root, operation.selectionSet),
  );
  return (shape?.(data) ?? data) as Record<string, unknown>;
}
