// What an operation would cost if each page had the size of what was returned.
import { getNamedType, isObjectType, Kind, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';

const isPageSize = (name) => name === 'first' || name === 'limit';

/**
 * Returns the operation with each page size replaced by the most items that the field returned, at least 1. Returns an
 * operation with fragments as it is.
 */
export function withReturnedSizes(schema, query, data) {
  if (query.includes('...')) return query;
  const info = new TypeInfo(schema);
  /** The values of the fields around the visited one, each a list of objects. */
  const around = [[data]];
  const document = visit(
    parse(query),
    visitWithTypeInfo(info, {
      Field: {
        enter(node) {
          const key = (node.alias ?? node.name).value;
          const values = (around.at(-1) ?? []).map((parent) => parent?.[key] ?? null);
          around.push(values.flat().filter((value) => value !== null && typeof value === 'object'));
          const argument = info.getFieldDef()?.args.find(({ name }) => isPageSize(name));
          if (!argument) return undefined;
          const type = getNamedType(info.getType());
          const isConnection = isObjectType(type) && 'edges' in type.getFields();
          // Without edges, the response does not show how many items there were.
          if (isConnection && values.every((value) => value !== null && !value.edges)) return undefined;
          const sizes = values.map((value) => (Array.isArray(value) ? value.length : (value?.edges?.length ?? 0)));
          return {
            ...node,
            arguments: [
              ...(node.arguments ?? []).filter(({ name }) => !isPageSize(name.value)),
              {
                kind: Kind.ARGUMENT,
                name: { kind: Kind.NAME, value: argument.name },
                value: { kind: Kind.INT, value: String(Math.max(1, ...sizes)) },
              },
            ],
          };
        },
        leave: () => void around.pop(),
      },
    }),
  );
  return print(document);
}
