import {
  coerceInputValue,
  type DirectiveNode,
  defaultFieldResolver,
  execute,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  getOperationAST,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  parse,
  responsePathAsArray,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import type { SubgraphFixture } from './fixture';

interface FieldFacts {
  /** Whether this subgraph resolves the field: it is not external, and no other subgraph overrides it. */
  isResolved: boolean;
  requires: SelectionSetNode | null;
}

interface TypeFacts {
  isInterfaceObject: boolean;
  keys: SelectionSetNode[];
  interfaces: string[];
  fields: Map<string, FieldFacts>;
}

interface ReferenceSubgraph extends SubgraphFixture {
  name: string;
  schema: GraphQLSchema;
  types: Map<string, TypeFacts>;
}

/** An object of the supergraph, with the objects of the subgraphs in which it has been found so far. */
interface Entity {
  typeName: string;
  found: Map<ReferenceSubgraph, Promise<unknown>>;
  /** Where the object comes from: without a key, another subgraph finds it by the same field of the same parent. */
  origin: { parent: Entity; fieldName: string; args: Args; index: readonly number[] } | null;
}

/** A subgraph that resolves a field of a type, and the name of the type there. */
interface Home {
  subgraph: ReferenceSubgraph;
  typeName: string;
}

type Args = Readonly<Record<string, unknown>>;
type Representation = Record<string, unknown>;
type OnLost = (error: unknown) => void;
type Resolvers = Readonly<Record<string, Readonly<Record<string, (...parts: unknown[]) => unknown>>>>;

/**
 * Executes operations over a supergraph without a query plan, so that its responses show what is right. It resolves each
 * field by itself: it goes from subgraph to subgraph by any key until it is in one that resolves the field. Then it
 * calls the resolver there, with required fields that it has resolved in the same way.
 */
export function createReference(
  api: GraphQLSchema,
  fixtures: ReadonlyMap<string, SubgraphFixture & { schema: GraphQLSchema }>,
) {
  const subgraphs = readSubgraphs(fixtures);
  const interfacesOf = new Map<string, Set<string>>();
  for (const { types } of subgraphs)
    for (const [name, { interfaces }] of types)
      interfacesOf.set(name, new Set([...(interfacesOf.get(name) ?? []), ...interfaces]));

  /** The names of the type in the subgraph: its own, or that of an interface object in its place. */
  const namesIn = ({ types }: ReferenceSubgraph, typeName: string): string[] =>
    [...types]
      .filter(
        ([name, { isInterfaceObject }]) =>
          name === typeName || (isInterfaceObject && interfacesOf.get(typeName)?.has(name)),
      )
      .map(([name]) => name);

  const homesOf = (typeName: string, fieldName: string): Home[] =>
    subgraphs.flatMap((subgraph) =>
      namesIn(subgraph, typeName)
        .filter((name) => subgraph.types.get(name)?.fields.get(fieldName)?.isResolved)
        .map((name) => ({ subgraph, typeName: name })),
    );

  /** Resolves a reference. The promise of an error may never be awaited. */
  const refer = ({ resolvers }: ReferenceSubgraph, typeName: string, representation: Representation) => {
    const resolve = (resolvers as Resolvers)[typeName]?.['__resolveReference'];
    const found = (async () => (resolve ? resolve({ __typename: typeName, ...representation }) : representation))();
    found.catch(() => {});
    return found;
  };

  async function resolveField(entity: Entity, fieldName: string, args: Args, onLost: OnLost): Promise<unknown> {
    const homes = homesOf(entity.typeName, fieldName);
    await reach(entity, homes, onLost);
    let isFound = false;
    for (const { subgraph, typeName } of homes) {
      const requires = subgraph.types.get(typeName)?.fields.get(fieldName)?.requires;
      const known = entity.found.get(subgraph);
      if (!known) continue;
      isFound = true;
      const source = requires ? await findAgain(entity, { subgraph, typeName }, requires, onLost) : await known;
      if (source === null || source === undefined) continue;
      const type = subgraph.schema.getType(typeName);
      const field = isObjectType(type) ? type.getFields()[fieldName] : undefined;
      if (!field) throw new Error(`${subgraph.name} has no field ${typeName}.${fieldName}`);
      const resolve = field.resolve ?? defaultFieldResolver;
      const info = { fieldName } as GraphQLResolveInfo;
      const value: unknown = await resolve(source, argumentsOf(field, args), {}, info);
      return wrap(subgraph, field.type, value, { parent: entity, fieldName, args, index: [] });
    }
    if (!isFound) throw new Error(`no subgraph can resolve ${entity.typeName}.${fieldName}`);
    return null;
  }

  /** Goes from subgraph to subgraph until the entity is found in one of the homes. */
  async function reach(entity: Entity, homes: readonly Home[], onLost: OnLost): Promise<void> {
    const isReached = () => homes.some(({ subgraph }) => entity.found.has(subgraph));
    while (!isReached()) {
      const before = entity.found.size;
      for (const subgraph of subgraphs)
        for (const name of namesIn(subgraph, entity.typeName))
          for (const key of subgraph.types.get(name)?.keys ?? [])
            if (!entity.found.has(subgraph) && isWithin(entity, key))
              entity.found.set(subgraph, refer(subgraph, name, await select(entity, key, onLost)));
      if (entity.found.size === before) break;
    }
    const { origin } = entity;
    if (isReached() || !origin) return;
    for (const { subgraph } of homes) {
      await reach(origin.parent, [{ subgraph, typeName: origin.parent.typeName }], onLost);
      const source = await origin.parent.found.get(subgraph);
      if (!source || entity.found.has(subgraph)) continue;
      const type = subgraph.schema.getType(origin.parent.typeName);
      const field = isObjectType(type) ? type.getFields()[origin.fieldName] : undefined;
      if (!field) continue;
      const info = { fieldName: origin.fieldName } as GraphQLResolveInfo;
      let value: unknown = await (field.resolve ?? defaultFieldResolver)(
        source,
        argumentsOf(field, origin.args),
        {},
        info,
      );
      for (const index of origin.index) value = (value as unknown[])[index];
      entity.found.set(subgraph, Promise.resolve(value));
    }
  }

  /** Whether the subgraphs in which the entity has been found resolve all fields of a key. */
  const isWithin = ({ typeName, found }: Entity, key: SelectionSetNode): boolean =>
    key.selections.every(
      (selection) =>
        selection.kind === Kind.FIELD &&
        homesOf(typeName, selection.name.value).some(({ subgraph }) => found.has(subgraph)),
    );

  async function findAgain(entity: Entity, { subgraph, typeName }: Home, requires: SelectionSetNode, onLost: OnLost) {
    const key = subgraph.types.get(typeName)?.keys.find((each) => isWithin(entity, each));
    if (!key) throw new Error(`${subgraph.name} cannot find ${entity.typeName} by a key`);
    const representation = await select(entity, key, onLost);
    return refer(subgraph, typeName, mergeObjects(representation, await select(entity, requires, onLost)));
  }

  /** Resolves the fields of a key or of `requires`. A field that fails is null. */
  async function select(entity: Entity, { selections }: SelectionSetNode, onLost: OnLost): Promise<Representation> {
    let selected: Representation = {};
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const name = selection.typeCondition?.name.value;
        if (name === undefined || name === entity.typeName || interfacesOf.get(entity.typeName)?.has(name))
          selected = mergeObjects(selected, await select(entity, selection.selectionSet, onLost));
        continue;
      }
      const { name, arguments: given = [], selectionSet } = selection;
      const args = Object.fromEntries(given.map((each) => [each.name.value, valueFromASTUntyped(each.value)]));
      const value = await resolveField(entity, name.value, args, onLost).catch((error: unknown) => {
        onLost(error);
        return null;
      });
      selected = mergeObjects(selected, {
        [name.value]: selectionSet ? await selectBelow(value, selectionSet, onLost) : value,
      });
    }
    return selected;
  }

  const selectBelow = async (value: unknown, selectionSet: SelectionSetNode, onLost: OnLost): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map((each) => selectBelow(each, selectionSet, onLost)));
    return value === null ? null : select(value as Entity, selectionSet, onLost);
  };

  /** Makes entities of the objects in the value of a field. */
  async function wrap(
    subgraph: ReferenceSubgraph,
    type: GraphQLOutputType,
    value: unknown,
    origin: NonNullable<Entity['origin']>,
  ): Promise<unknown> {
    const nullable = getNullableType(type);
    if (value === null || value === undefined) return null;
    if (isLeafType(nullable)) return value;
    if (isListType(nullable))
      return Promise.all(
        (value as unknown[]).map(async (each, index) =>
          wrap(subgraph, nullable.ofType as GraphQLOutputType, await each, {
            ...origin,
            index: [...origin.index, index],
          }),
        ),
      );
    const typeName = isAbstractType(nullable) ? String((value as Representation)['__typename']) : String(nullable);
    const entity: Entity = { typeName, found: new Map([[subgraph, Promise.resolve(value)]]), origin };
    if (subgraph.types.get(typeName)?.isInterfaceObject) await findType(entity);
    return entity;
  }

  /** Finds the concrete type of an interface object in a subgraph that has the interface. */
  async function findType(entity: Entity): Promise<void> {
    const name = entity.typeName;
    const home = subgraphs.find(
      ({ schema, types }) => types.get(name)?.keys.length && isAbstractType(schema.getType(name)),
    );
    const key = home?.types.get(name)?.keys.find((each) => isWithin(entity, each));
    if (!home || !key) throw new Error(`no subgraph knows the types of ${name}`);
    const found = refer(home, name, await select(entity, key, () => {}));
    entity.typeName = String(((await found) as Representation | null)?.['__typename'] ?? name);
    entity.found.set(home, found);
  }

  return async (query: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const document = parse(query);
    const root = getOperationAST(document)?.operation === 'mutation' ? 'Mutation' : 'Query';
    const found = new Map(subgraphs.map((subgraph) => [subgraph, Promise.resolve<unknown>({})]));
    const lost: { message: string; path: (string | number)[] }[] = [];
    const result = await execute({
      schema: api,
      document,
      rootValue: { typeName: root, found, origin: null } satisfies Entity,
      variableValues: variables,
      fieldResolver: (source: unknown, args, _context, { fieldName, path }) =>
        resolveField(source as Entity, fieldName, args, (error) =>
          lost.push({ message: String(error), path: responsePathAsArray(path) }),
        ),
      typeResolver: (value: unknown) => (value as Entity).typeName,
    });
    const errors = [...(result.errors ?? []), ...lost];
    return { ...('data' in result && { data: result.data }), ...(errors.length > 0 && { errors }) };
  };
}

function argumentsOf({ args: definitions }: GraphQLField<unknown, unknown>, args: Args): Representation {
  const given: Representation = {};
  for (const { name, type, defaultValue } of definitions) {
    if (Object.hasOwn(args, name)) given[name] = coerceInputValue(args[name], type);
    else if (defaultValue !== undefined) given[name] = defaultValue;
  }
  return given;
}

function mergeObjects(one: Representation, other: Representation): Representation {
  const merged = { ...one };
  for (const [name, value] of Object.entries(other)) merged[name] = name in one ? mergeValues(one[name], value) : value;
  return merged;
}

function mergeValues(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return one.map((each, index) => mergeValues(each, other[index]));
  const areObjects = [one, other].every((each) => typeof each === 'object' && each !== null);
  return areObjects ? mergeObjects(one as Representation, other as Representation) : other;
}

function readSubgraphs(
  fixtures: ReadonlyMap<string, SubgraphFixture & { schema: GraphQLSchema }>,
): ReferenceSubgraph[] {
  const subgraphs = [...fixtures].map(([name, fixture]) => ({ name, ...fixture, types: readTypes(fixture.typeDefs) }));
  // An override takes the field from the other subgraph. With a label it moves only at 100 percent.
  for (const [name, { typeDefs }] of fixtures)
    forEachField(typeDefs, (typeName, fieldName, directives) => {
      const override = directives.find((each) => each.name.value === 'override');
      if (!override) return;
      const label = stringArgument(override, 'label');
      const loser = label === null || label === 'percent(100)' ? stringArgument(override, 'from') : name;
      const field = subgraphs
        .find((each) => each.name === loser)
        ?.types.get(typeName)
        ?.fields.get(fieldName);
      if (field) field.isResolved = false;
    });
  return subgraphs;
}

function readTypes(typeDefs: string): Map<string, TypeFacts> {
  const types = new Map<string, TypeFacts>();
  for (const definition of parse(typeDefs).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    const { name, directives = [], interfaces = [] } = definition;
    types.set(name.value, {
      isInterfaceObject: directives.some((each) => each.name.value === 'interfaceObject'),
      keys: directives.filter((each) => each.name.value === 'key').map(fieldSet),
      interfaces: interfaces.map((each) => each.name.value),
      fields: new Map(),
    });
  }
  forEachField(typeDefs, (typeName, fieldName, directives) => {
    const requires = directives.find((each) => each.name.value === 'requires');
    const isResolved = directives.every((each) => each.name.value !== 'external');
    types.get(typeName)?.fields.set(fieldName, { isResolved, requires: requires ? fieldSet(requires) : null });
  });
  return types;
}

function forEachField(
  typeDefs: string,
  visit: (typeName: string, fieldName: string, directives: readonly DirectiveNode[]) => void,
): void {
  for (const definition of parse(typeDefs).definitions)
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION)
      for (const field of definition.fields ?? [])
        visit(definition.name.value, field.name.value, field.directives ?? []);
}

function stringArgument({ arguments: given = [] }: DirectiveNode, name: string): string | null {
  const value = given.find((each) => each.name.value === name)?.value;
  return value?.kind === Kind.STRING ? value.value : null;
}

function fieldSet(directive: DirectiveNode): SelectionSetNode {
  const [definition] = parse(`{ ${stringArgument(directive, 'fields')} }`).definitions;
  if (definition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('a set of fields is not valid');
  return definition.selectionSet;
}
