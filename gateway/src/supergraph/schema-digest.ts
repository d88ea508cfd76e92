import { createHash } from 'node:crypto';
import { type ASTNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';

/** The number of hexadecimal digits of a digest. */
const digestDigits = 16;
/** The members of a definition whose items have no meaningful order. */
const unorderedMembers = ['arguments', 'directives', 'fields', 'interfaces', 'locations', 'types', 'values'] as const;

/**
 * Returns the digest of a subgraph's schema. A subgraph's `schema.graphql` and the SDL that the
 * running subgraph returns for `_service` have the same digest. Order, formatting and the
 * definitions that federation adds do not change the digest. Throws a GraphQLError if the SDL has a
 * syntax error.
 */
export function schemaDigest(sdl: string): string {
  const document = parse(sdl, { noLocation: true });
  const isAdded = isAddedByFederation(document);
  const normalized = visit(document, {
    enter: (node) => (isAdded(node) ? null : undefined),
    leave: (node) => sortMembers(node.kind === Kind.STRING ? { ...node, block: false } : node),
  });
  const text = normalized.definitions
    .map((definition) => print(definition).replace(/^extend /, ''))
    .sort()
    .join('\n');
  return createHash('sha256').update(text).digest('hex').slice(0, digestDigits);
}

function sortMembers<Node extends ASTNode>(node: Node): Node {
  const members = node as Node & Partial<Record<(typeof unorderedMembers)[number], readonly ASTNode[]>>;
  const sorted = unorderedMembers
    .filter((member) => Array.isArray(members[member]))
    .map((member) => [member, [...(members[member] ?? [])].sort((a, b) => (print(a) < print(b) ? -1 : 1))]);
  return { ...node, ...Object.fromEntries(sorted) };
}

/**
 * Returns the test whether a definition is one that federation adds to each subgraph: links, and the types and
 * directives of federation.
 */
function isAddedByFederation(document: DocumentNode): (node: ASTNode) => boolean {
  const imported = new Set<string>(['@link']);
  visit(document, {
    Directive({ name, arguments: args = [] }) {
      const isFederation = args.some(
        ({ value }) => value.kind === Kind.STRING && value.value.startsWith('https://specs.apollo.dev/'),
      );
      if (name.value !== 'link' || !isFederation) return;
      for (const { value } of args)
        if (value.kind === Kind.LIST)
          for (const each of value.values) if (each.kind === Kind.STRING) imported.add(each.value);
    },
  });
  const isPrefixed = (name: string): boolean => /^(?:federation__|link__|_)/.test(name);
  return (node) => {
    switch (node.kind) {
      case Kind.SCHEMA_DEFINITION:
      case Kind.SCHEMA_EXTENSION:
        return true;
      case Kind.DIRECTIVE_DEFINITION:
        return imported.has(`@${node.name.value}`) || isPrefixed(node.name.value);
      case Kind.FIELD_DEFINITION:
        return node.name.value === '_service' || node.name.value === '_entities';
      case Kind.SCALAR_TYPE_DEFINITION:
      case Kind.ENUM_TYPE_DEFINITION:
      case Kind.OBJECT_TYPE_DEFINITION:
      case Kind.UNION_TYPE_DEFINITION:
      case Kind.INPUT_OBJECT_TYPE_DEFINITION:
        return imported.has(node.name.value) || isPrefixed(node.name.value);
      default:
        return false;
    }
  };
}
