import type { GraphQLSchema } from 'graphql';
import type { ChosenOperation, Variables } from './chosen-operation';
import { compileProjection } from './plan/projection';

/**
 * Puts the fields of @apollo/gateway's data into the order of the specification, which all other
 * strategies have. @apollo/gateway merges fragments on one type, and that changes the order. Data
 * that has no projection, with fields of interfaces, unions or the schema, is returned unchanged.
 */
export function sortFields(
  schema: GraphQLSchema,
  operation: ChosenOperation,
  coercedVariables: Readonly<Variables>,
  data: Record<string, unknown>,
): Record<string, unknown> {
  const project = compileProjection(schema, operation, { ...coercedVariables });
  return (project?.(data) ?? data) as Record<string, unknown>;
}
