import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { isInterfaceType, isObjectType, TypeInfo, ValidationContext, visit, visitWithTypeInfo } from 'graphql';

/** A deprecated field or argument that an operation uses. */
export interface Deprecation {
  /** The schema coordinate: `Verse.text` or `Query.search(limit:)`. */
  readonly coordinate: string;
  /** The reason in the schema. */
  readonly reason: string;
  /** The date of the deprecation, as YYYY-MM-DD. Null if the reason does not begin with a date. */
  readonly since: string | null;
}

const none: readonly Deprecation[] = [];

/**
 * Creates a function that finds the deprecated fields and arguments of a valid operation, each
 * once: first those of the operation itself, then those of its fragments. If the schema deprecates
 * none, the function does not read the document.
 */
export function createFindDeprecations(schema: GraphQLSchema) {
  if (!deprecates(schema)) return () => none;
  return (document: DocumentNode, definition: OperationDefinitionNode): readonly Deprecation[] => {
    const found = new Map<string, Deprecation>();
    const add = (coordinate: string, reason: string | null | undefined): void => {
      if (typeof reason !== 'string') return;
      found.set(coordinate, { coordinate, reason, since: dateIn(reason) });
    };
    const types = new TypeInfo(schema);
    const findInFields = visitWithTypeInfo(types, {
      Field(node) {
        const field = types.getFieldDef();
        if (!field) return;
        const coordinate = `${types.getParentType()?.name ?? ''}.${field.name}`;
        add(coordinate, field.deprecationReason);
        for (const { name } of node.arguments ?? [])
          add(
            `${coordinate}(${name.value}:)`,
            field.args.find((argument) => argument.name === name.value)?.deprecationReason,
          );
      },
    });
    const context = new ValidationContext(schema, document, types, () => {});
    for (const part of [definition, ...context.getRecursivelyReferencedFragments(definition)])
      visit(part, findInFields);
    return [...found.values()];
  };
}

const deprecates = (schema: GraphQLSchema): boolean =>
  Object.values(schema.getTypeMap())
    .flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []))
    .some((field) => [field, ...field.args].some(({ deprecationReason }) => typeof deprecationReason === 'string'));

/**
 * Returns the date of a reason such as `Since 2026-12-01: use Verse.text.` Returns null without a
 * valid date.
 */
function dateIn(reason: string): string | null {
  const [, date = ''] = /^Since (\d{4}-\d\d-\d\d)\b/.exec(reason) ?? [];
  return Number.isNaN(Date.parse(date)) ? null : date;
}
