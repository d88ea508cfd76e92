import type { DocumentNode, FragmentDefinitionNode } from 'graphql';
import { Kind } from 'graphql';

/**
 * Returns a document's fragments by name. A map, because a client may name a fragment like a
 * property that every object has, such as `constructor`.
 */
export const fragmentMap = ({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> =>
  new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
