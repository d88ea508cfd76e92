import type { OperationDefinitionNode } from 'graphql';
import { Kind, separateOperations } from 'graphql';
import type { ChosenOperation } from './execution-types';

/**
 * Returns the operation in a document of its own, with the fragments that it uses. The document has
 * `definition` in place of the operation's own definition.
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
