import type { DocumentNode, FragmentDefinitionNode } from 'graphql';
import { Kind } from 'graphql';

/** Returns a document's fragments by name, in the form that graphql-js takes. */
export const fragmentsByName = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
