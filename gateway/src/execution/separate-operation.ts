import type { OperationDefinitionNode } from 'graphql';
import { Kind, separateOperations } from 'graphql';
import type { ChosenOperation } from './chosen-operation-and-trace-context-types';

/**
 * Returns the operation with a document of its own, which has only this operation and the fragments
 * that it uses. If `definition` is given, it takes the operation's place: introspection passes a
 * definition with fewer fields.
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
