import {
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredInputField,
  Kind,
  parse,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';

/** A document of the operator that clients may send by its id. */
export interface PublishedDocument {
  readonly id: string;
  readonly name: string;
  readonly query: string;
}

type Json = Readonly<Record<string, unknown>>;
type Entries = readonly (readonly [name: string, value: unknown, isRequired: boolean])[];

const scalarTypes = new Map(
  Object.entries({ Int: 'integer', Float: 'number', Boolean: 'boolean', String: 'string', ID: 'string' }),
);
const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
const objectOf = (entries: Entries): Json => ({
  type: 'object',
  properties: Object.fromEntries(entries),
  required: entries.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
});
const responseOf = (description: string, schema: Json): Json => ({
  description,
  content: { 'application/json': { schema } },
});

/** Describes lists, null and `!` of a type. `describe` describes the type inside. */
function wrap(type: GraphQLType, describe: (type: GraphQLNamedType) => Json): Json {
  if (!isNonNullType(type)) return { anyOf: [wrapNonNull(type, describe), { type: 'null' }] };
  return wrapNonNull(type.ofType, describe);
}
const wrapNonNull: typeof wrap = (type, describe) =>
  isListType(type) ? { type: 'array', items: wrap(type.ofType, describe) } : describe(getNamedType(type));

/** Describes `GET /documents/ID` for documents that are valid under the schema, as OpenAPI 3.1. */
export function describeAsOpenApi(schema: GraphQLSchema, documents: readonly PublishedDocument[]): Json {
  const error = objectOf([
    ['message', { type: 'string' }, true],
    ['extensions', { type: 'object' }, false],
  ]);
  const schemas: Record<string, Json> = { Errors: { type: 'array', items: error } };

  const describeValue = (type: GraphQLNamedType): Json => {
    if (isEnumType(type)) schemas[type.name] = { type: 'string', enum: type.getValues().map(({ name }) => name) };
    else if (!isInputObjectType(type)) return { title: type.name, type: scalarTypes.get(type.name) };
    else if (!schemas[type.name]) {
      // An input may contain itself, so it is known before its fields are described.
      schemas[type.name] = {};
      const fields = Object.values(type.getFields());
      schemas[type.name] = objectOf(
        fields.map((field) => [field.name, wrap(field.type, describeValue), isRequiredInputField(field)]),
      );
    }
    return ref(type.name);
  };

  const names = new Set<string>();
  const describeDocument = ({ id, name, query }: PublishedDocument) => {
    const { definitions } = parse(query);
    const fragments = new Map(
      definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
    );
    /** Describes an object. A field is required unless a directive or a type condition is around it. */
    const describeObject = (type: GraphQLNamedType, sets: readonly SelectionSetNode[]): Json => {
      const found = new Map<string, { type: GraphQLType | undefined; sets: SelectionSetNode[]; isRequired: boolean }>();
      const collect = (parent: GraphQLNamedType, set: SelectionSetNode, isAlways: boolean): void => {
        const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
        for (const selection of set.selections) {
          const isRequired = isAlways && !selection.directives?.length;
          if (selection.kind === Kind.FIELD) {
            const key = (selection.alias ?? selection.name).value;
            const field = found.get(key) ?? { type: fields[selection.name.value]?.type, sets: [], isRequired };
            if (selection.selectionSet) field.sets.push(selection.selectionSet);
            found.set(key, { ...field, isRequired: isRequired || field.isRequired });
          } else {
            const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
            const target = schema.getType(fragment?.typeCondition?.name.value ?? parent.name) ?? parent;
            if (fragment) collect(target, fragment.selectionSet, isRequired && target === parent);
          }
        }
      };
      for (const set of sets) collect(type, set, true);
      return objectOf(
        [...found].map(([key, field]) => {
          const describe = (inner: GraphQLNamedType) =>
            field.sets.length > 0 ? describeObject(inner, field.sets) : describeValue(inner);
          return [key, field.type ? wrap(field.type, describe) : { type: 'string' }, field.isRequired];
        }),
      );
    };
    const operation = definitions.find((each) => each.kind === Kind.OPERATION_DEFINITION);
    let operationId = (operation?.name?.value ?? name).replace(/\W/g, '_');
    while (names.has(operationId)) operationId += '_';
    names.add(operationId);
    const variables = (operation?.variableDefinitions ?? []).map(({ variable, type: node, defaultValue }) => {
      const type = typeFromAST(schema, node);
      const isRequired = isNonNullType(type) && !defaultValue;
      return [variable.name.value, type ? wrap(type, describeValue) : {}, isRequired] as const;
    });
    const queryType = schema.getQueryType();
    schemas[`${operationId}Variables`] = objectOf(variables);
    schemas[`${operationId}Data`] = queryType && operation ? describeObject(queryType, [operation.selectionSet]) : {};
    const data = { anyOf: [ref(`${operationId}Data`), { type: 'null' }] };
    const parameter = {
      name: 'variables',
      in: 'query',
      required: variables.some(([, , isRequired]) => isRequired),
      content: { 'application/json': { schema: ref(`${operationId}Variables`) } },
    };
    const responses = {
      200: responseOf(
        'The data.',
        objectOf([
          ['data', data, true],
          ['errors', ref('Errors'), false],
        ]),
      ),
      304: { description: 'The response that If-None-Match names is current.' },
      default: responseOf('An error.', objectOf([['errors', ref('Errors'), true]])),
    };
    const get = { operationId, parameters: variables.length > 0 ? [parameter] : [], responses };
    return [`/documents/${encodeURIComponent(id)}`, { get }] as const;
  };

  return {
    openapi: '3.1.0',
    info: { title: 'Trusted documents', version: '1' },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    paths: Object.fromEntries(documents.map(describeDocument)),
    components: { schemas, securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
}
