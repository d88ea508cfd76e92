import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/resolverMap';
import type { GraphQLField, GraphQLObjectType, GraphQLSchema } from 'graphql';
import {
  isAbstractType,
  isEnumType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  parse,
  valueFromASTUntyped,
} from 'graphql';

/** The members of a resolver map that are not fields, as @apollo/subgraph names them. */
const objectMembers = new Set(['__resolveReference', '__isTypeOf']);
const abstractMembers = new Set(['__resolveReference', '__resolveType']);

/**
 * Compares a federated schema with its resolvers. Throws an error of one line that names all
 * problems:
 * - resolvers for types, fields and enum values that the schema lacks,
 * - resolvers for fields of interfaces and input types,
 * - fields of root types without a resolver,
 * - non-null fields of entities that could never have a value.
 *
 * Fields of other types are not checked, because they may be properties of the values that
 * resolvers return.
 */
export function checkResolvers(name: string, schema: GraphQLSchema, resolvers: GraphQLResolverMap<unknown>): void {
  const problems = [
    ...Object.entries(resolvers).flatMap(([type, members]) => resolversWithoutField(schema, type, members)),
    ...rootFieldsWithoutResolver(schema),
    ...fieldsThatEntitiesLack(schema),
  ];
  if (problems.length > 0) throw new Error(`The ${name} subgraph cannot start: ${problems.join('; ')}.`);
}

function resolversWithoutField(schema: GraphQLSchema, typeName: string, members: unknown): string[] {
  const type = schema.getType(typeName);
  if (!type) return [`there are resolvers for the type ${typeName}, which schema.graphql does not have`];
  if (isScalarType(type)) return [];
  return Object.keys(members as object)
    .filter((member) => {
      if (isObjectType(type)) return !objectMembers.has(member) && !(member in type.getFields());
      if (isEnumType(type)) return !type.getValue(member);
      // @apollo/subgraph ignores resolvers for fields of interfaces and input types.
      return !isAbstractType(type) || !abstractMembers.has(member);
    })
    .map((member) =>
      isObjectType(type) || isEnumType(type)
        ? `there is a resolver for ${typeName}.${member}, which schema.graphql does not have`
        : `${typeName}.${member} must not have a resolver, because ${typeName} is not an object type`,
    );
}

/** A root field needs a resolver, because no parent value could have a property with its name. */
const rootFieldsWithoutResolver = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    fieldsWithoutResolver(type).map((field) => `${type?.name}.${field.name} has no resolver`),
  );

/**
 * Without `__resolveReference` the value of an entity is its representation, which has only the key
 * fields and the fields that `@requires` names. So every other non-null field needs a resolver.
 */
function fieldsThatEntitiesLack(schema: GraphQLSchema): string[] {
  const entity = schema.getType('_Entity');
  if (!isUnionType(entity)) return [];
  return entity
    .getTypes()
    .filter((type) => !hasReferenceResolver(type))
    .flatMap((type) => {
      const keys = keyFields(type);
      return fieldsWithoutResolver(type)
        .filter((field) => isNonNullType(field.type) && !keys.has(field.name) && !isExternal(field))
        .map(
          (field) =>
            `${type.name}.${field.name} is non-null and has no resolver, and ${type.name} has no __resolveReference`,
        );
    });
}

const fieldsWithoutResolver = (type: GraphQLObjectType | null | undefined): GraphQLField<unknown, unknown>[] =>
  Object.values(type?.getFields() ?? {}).filter((field) => !field.resolve);

const hasReferenceResolver = ({ extensions }: GraphQLObjectType): boolean =>
  (extensions as { apollo?: { subgraph?: { resolveReference?: unknown } } }).apollo?.subgraph?.resolveReference !==
  undefined;

const isExternal = ({ astNode }: GraphQLField<unknown, unknown>): boolean =>
  astNode?.directives?.some((directive) => directive.name.value === 'external') ?? false;

/** Returns the names of the fields at the top of each `@key` of an entity. */
function keyFields({ astNode, extensionASTNodes }: GraphQLObjectType): ReadonlySet<string> {
  const fieldSets = [...(astNode ? [astNode] : []), ...extensionASTNodes]
    .flatMap(({ directives = [] }) => directives)
    .filter((directive) => directive.name.value === 'key')
    .flatMap((directive) => directive.arguments?.find((argument) => argument.name.value === 'fields') ?? [])
    .map((argument) => String(valueFromASTUntyped(argument.value)));
  return new Set(
    fieldSets.flatMap((fields) => {
      const [operation] = parse(`{ ${fields} }`).definitions;
      return operation?.kind === Kind.OPERATION_DEFINITION
        ? operation.selectionSet.selections.flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []))
        : [];
    }),
  );
}
