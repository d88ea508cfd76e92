import { TokenKind, visit } from 'graphql';

/**
 * Returns a function that says whether a change only removes unsupported elements of the contract.
 * A field is unsupported if the comment `# unsupported` follows it in the same line. A type is
 * unsupported if all its fields are. `contract` is the contract's document with locations.
 */
export function createIsUnsupportedRemoval(contract) {
  const fields = new Set();
  const types = new Set();
  let mutationType = 'Mutation';
  visit(contract, {
    OperationTypeDefinition({ operation, type }) {
      if (operation === 'mutation') mutationType = type.name.value;
    },
    ObjectTypeDefinition({ name, fields: own = [] }) {
      const unsupported = own.filter(isMarkedUnsupported);
      for (const field of unsupported) fields.add(`${name.value}.${field.name.value}`);
      if (own.length > 0 && unsupported.length === own.length) types.add(name.value);
    },
  });
  return ({ type, path }) =>
    (type === 'FIELD_REMOVED' && fields.has(path)) ||
    (type === 'TYPE_REMOVED' && types.has(path)) ||
    (type === 'SCHEMA_MUTATION_TYPE_CHANGED' && types.has(mutationType));
}

/** @param {import('graphql').FieldDefinitionNode} field */
function isMarkedUnsupported({ loc }) {
  if (!loc) return false;
  const { next, line } = loc.endToken;
  return next?.kind === TokenKind.COMMENT && next.line === line && /^\s*unsupported\b/.test(next.value);
}
