import { readFileSync } from 'node:fs';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/resolverMap';
import type { OperationInfo } from '@lectern/execution';
import { createWorkScheduler, type WorkBudget, type WorkContext, type WorkScheduler } from '@lectern/serving';
import type { FieldNode, GraphQLField, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import {
  isAbstractType,
  isEnumType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  type OperationDefinitionNode,
  parse,
  valueFromASTUntyped,
} from 'graphql';
import { gql } from 'graphql-tag';
import { boundQueryResolvers } from './request-budgets';

/** The texts that a subgraph serves. They change when translations are added, replaced or removed. */
export interface Dataset {
  /** Returns a digest of all translations. A gateway compares the dataset versions of its subgraphs. */
  datasetVersion(): string;
  translationDigests(): ReadonlyMap<string, string>;
  /** Returns the translations whose files are unusable. The other translations are served. */
  unavailable(): readonly string[];
  /** Returns the translations that only callers with rights may read. */
  restricted(): ReadonlySet<string>;
  onChange(listener: () => void): void;
}

/** Executes requests in this process (`executeInProcess`) or over HTTP (`serveSubgraph`). */
export interface Subgraph<Context extends WorkContext = WorkContext> {
  readonly name: string;
  readonly schema: GraphQLSchema;
  /** The texts that the subgraph serves or has indexed. Null if the subgraph does not report its texts. */
  readonly dataset: Dataset | null;
  readonly scheduler: WorkScheduler;
  /** Returns the fields that are currently unavailable. The other fields can be resolved. */
  unavailableFields(): readonly string[];
  /** Operations that load what most requests need. A separate process executes them before it is ready. */
  readonly warmUpQueries: readonly string[];
  /** Creates the context of one request. If `work` is absent, the request gets its own budget. */
  createContext(info?: OperationInfo, work?: WorkBudget): Context;
  /** As a caller with these rights (translations separated by blanks) sees it. Other restricted ones do not exist. */
  withRights(rights: string): Subgraph<Context>;
  close(): void | Promise<void>;
}

/** What GET /ready reports as unavailable. It names no restricted translation, because anybody may read it. */
export const unavailableParts = ({ name, unavailableFields, dataset }: Subgraph) => {
  const translations = dataset?.unavailable().filter((identifier) => !dataset.restricted().has(identifier)) ?? [];
  return [...unavailableFields(), ...translations.map((identifier) => `the translation ${identifier}`)].map((part) => ({
    subgraph: name,
    reason: `${part} is unavailable`,
  }));
};

/** What a caller sees of a subgraph. Resolvers and contexts read only the texts that the caller may read. */
export interface SubgraphView<Context extends WorkContext> {
  resolvers: GraphQLResolverMap<Context>;
  createContext: (work: WorkBudget, info?: OperationInfo) => Context;
}

/** The maximum number of sets of rights for which a subgraph keeps a view, of 0.5 MB and its operations. */
const maxViews = 32;

interface SubgraphParts<Context extends WorkContext>
  extends SubgraphView<Context>,
    Pick<Subgraph, 'name' | 'close'>,
    Partial<Pick<Subgraph, 'dataset' | 'unavailableFields' | 'warmUpQueries'>> {
  schemaFile: string;
  /** Creates what a caller sees that may read these restricted translations. Absent if the subgraph has no texts. */
  withRights?: (granted: ReadonlySet<string>) => SubgraphView<Context>;
  /** The scheduler of this process. If absent, the subgraph creates one. */
  scheduler?: WorkScheduler | undefined;
}

/** Throws if a resolver has no field in the schema, or if a field could never have a value. */
export function createSubgraph<Context extends WorkContext>(parts: SubgraphParts<Context>): Subgraph<Context> {
  const { name, dataset = null, unavailableFields = () => [], warmUpQueries = [], close } = parts;
  const scheduler = parts.scheduler ?? createWorkScheduler();
  const views = new Map<string, Subgraph<Context>>();

  const createView = ({ resolvers, createContext }: SubgraphView<Context>): Subgraph<Context> => {
    const view: Subgraph<Context> = {
      name,
      schema: createSchema(parts, resolvers),
      dataset,
      scheduler,
      unavailableFields,
      warmUpQueries,
      createContext: (info, work = scheduler.createBudget()) => createContext(work, info),
      withRights: () => view,
      close,
    };
    return view;
  };

  const withRights = (rights: string): Subgraph<Context> => {
    const restricted = rights === '' ? null : dataset?.restricted();
    const granted = restricted ? rights.split(' ').filter((identifier) => restricted.has(identifier)) : [];
    if (granted.length === 0 || !parts.withRights) return subgraph;
    const key = granted.join(' ');
    const view = views.get(key) ?? createView(parts.withRights(new Set(granted)));
    if (!views.has(key) && views.size >= maxViews) views.clear();
    views.set(key, view);
    return view;
  };

  const subgraph: Subgraph<Context> = { ...createView(parts), withRights };
  return subgraph;
}

function createSchema<Context extends WorkContext>(
  { name, schemaFile }: SubgraphParts<Context>,
  resolvers: GraphQLResolverMap<Context>,
): GraphQLSchema {
  const resolverMap = resolvers as GraphQLResolverMap<unknown>;
  const schema = buildSubgraphSchema({ typeDefs: gql(readFileSync(schemaFile, 'utf8')), resolvers: resolverMap });
  const problems = [
    ...Object.entries(resolverMap).flatMap(([type, members]) => resolversWithoutField(schema, type, members)),
    ...rootFieldsWithoutResolver(schema),
    ...fieldsThatEntitiesLack(schema),
  ];
  if (problems.length > 0) throw new Error(`The ${name} subgraph cannot start: ${problems.join('; ')}.`);
  return boundQueryResolvers(schema);
}

function resolversWithoutField(schema: GraphQLSchema, typeName: string, members: unknown): string[] {
  const type = schema.getType(typeName);
  if (!type) return [`there are resolvers for the type ${typeName}, which schema.graphql does not have`];
  if (isScalarType(type)) return [];
  const known = resolvableMembers(type);
  return Object.keys(members as object)
    .filter((member) => !known.includes(member))
    .map((member) =>
      isObjectType(type) || isEnumType(type)
        ? `there is a resolver for ${typeName}.${member}, which schema.graphql does not have`
        : `${typeName}.${member} must not have a resolver, because ${typeName} is not an object type`,
    );
}

/** Returns the members that may have resolvers. @apollo/subgraph ignores those of interfaces and input types. */
function resolvableMembers(type: GraphQLNamedType): string[] {
  if (isObjectType(type)) return ['__resolveReference', '__isTypeOf', ...Object.keys(type.getFields())];
  if (isEnumType(type)) return type.getValues().map(({ name }) => name);
  return isAbstractType(type) ? ['__resolveReference', '__resolveType'] : [];
}

/** A root field needs a resolver, because no parent value has a property of its name. */
const rootFieldsWithoutResolver = (schema: GraphQLSchema): string[] =>
  [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    fieldsWithoutResolver(type).map((field) => `${type?.name}.${field.name} has no resolver`),
  );

/** Non-null fields without a value: without `__resolveReference`, an entity has only key and `@requires` fields. */
function fieldsThatEntitiesLack(schema: GraphQLSchema): string[] {
  const entity = schema.getType('_Entity');
  if (!isUnionType(entity)) return [];
  return entity
    .getTypes()
    .filter((type) => !hasReferenceResolver(type))
    .flatMap((type) => {
      const keys = keyFields(type);
      return fieldsWithoutResolver(type)
        .filter((field) => isNonNullType(field.type) && !keys.includes(field.name) && !isExternal(field))
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

/** Returns the names of the top-level fields in each `@key` of an entity. */
const keyFields = ({ astNode, extensionASTNodes }: GraphQLObjectType): string[] =>
  [astNode, ...extensionASTNodes]
    .flatMap((node) => node?.directives ?? [])
    .filter((directive) => directive.name.value === 'key')
    .flatMap((directive) => directive.arguments?.find((argument) => argument.name.value === 'fields') ?? [])
    .flatMap(({ value }) => {
      const [operation] = parse(`{ ${valueFromASTUntyped(value)} }`).definitions as OperationDefinitionNode[];
      const fields = (operation?.selectionSet.selections ?? []) as readonly FieldNode[];
      return fields.map((field) => field.name.value);
    });
