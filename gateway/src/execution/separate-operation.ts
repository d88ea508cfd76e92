import type { OperationDefinitionNode } from 'graphql';
import { Kind, separateOperations } from 'graphql';
import type { ChosenOperation } from './execution-types';

/**
 * Returns a document with only this operation and the fragments that it uses. The document has
 * `definition`, by default the operation's definition.
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
