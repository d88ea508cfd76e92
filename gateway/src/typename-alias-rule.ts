import { GraphQLError } from 'graphql';
import type { ASTVisitor, ValidationContext } from 'graphql';

const typename = '__typename';

/**
 * A validation rule: no other field goes by the name of __typename. GraphQL would let it, but what stands under that name is what the engine and clients' caches take
 * for the type: the engine answers such an operation with nulls and faults, or not, depending on where the field stands.
 */
export const typenameAliasRule = (context: ValidationContext): ASTVisitor => ({
  Field(node) {
    if (node.alias?.value !== typename || node.name.value === typename) return;
    context.reportError(new GraphQLError(`Field "${node.name.value}" must not have the alias "${typename}": an object's type goes by that name.`, { nodes: node.alias }));
  },
});
