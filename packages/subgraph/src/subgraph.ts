import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLResolverMap } from '@apollo/subgraph/dist/schema-helper/resolverMap';
import type { OperationInfo } from '@lectern/execution';
import type { Hint, WorkBudget, WorkContext, WorkScheduler } from '@lectern/serving';
import { createWorkScheduler } from '@lectern/serving';
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
import { gql } from 'graphql-tag';
import { boundQueryResolvers } from './limits';

/**
 * The texts that a subgraph serves. They change when translations are added, replaced or removed.
 */
export interface Dataset {
  /** A digest of all translations. A gateway compares the dataset versions of its subgraphs. */
  datasetVersion(): string;
  /** The digest of the text of each translation. */
  translationDigests(): ReadonlyMap<string, string>;
  /** The identifiers of the translations whose files cannot be used. */
  unavailable(): readonly string[];
  /** Calls the listener after each change of the texts. */
  onChange(listener: () => void): void;
}

/** Files that a subgraph serves over HTTP, besides its fields. */
export interface FileRoute {
  /** The path below which all files lie. It ends with a slash. */
  readonly path: string;
  /**
   * Responds to a request with any method. `path` is the path of the request, without its query
   * string.
   */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}

/**
 * A subgraph that executes requests in this process (`executeInProcess`) or over HTTP
 * (`serveSubgraph`).
 */
export interface Subgraph<Context extends WorkContext = WorkContext> {
  /** The subgraph's name in supergraph.yaml. */
  readonly name: string;
  readonly schema: GraphQLSchema;
  /** The texts that the subgraph serves or has indexed. Null if it does not report them. */
  readonly dataset: Dataset | null;
  /** Returns the translations whose files cannot be used, while the others are served. */
  unavailableTranslations(): readonly string[];
  /** The scheduler that the requests of this process share. */
  readonly scheduler: WorkScheduler;
  /** Returns the fields that are unavailable at the moment, while the others are answered. */
  unavailableFields(): readonly string[];
  /**
   * The files that the subgraph serves to everybody, without a gateway token. Null if it serves
   * none.
   */
  readonly files: FileRoute | null;
  /** Creates the context of one request, which holds the request's budgets and batching loaders. */
  createContext(info?: OperationInfo): Context;
  /** Closes the subgraph's files, connection pools and threads. */
  close(): void | Promise<void>;
}

/**
 * Returns the unavailable fields and translations of a subgraph in the form that GET /ready
 * reports.
 */
export const unavailableParts = ({ name, unavailableFields, unavailableTranslations }: Subgraph) =>
  [...unavailableFields(), ...unavailableTranslations().map((identifier) => `the translation ${identifier}`)].map(
    (part) => ({ subgraph: name, reason: `${part} is unavailable` }),
  );

/** The facts about a response that the gateway receives beside the body. */
export interface ResponseFacts {
  /**
   * The number of embedding calls: executed fields that search by meaning. The gateway counts them
   * for the API key.
   */
  readonly embeddingCalls: number;
  /**
   * Hints for the developer of the client. The gateway sends them to a client that asks for them.
   */
  readonly hints: readonly Hint[];
}

/**
 * Returns the facts about the response to a request. The context is null if nothing was executed.
 */
export const responseFacts = (context: WorkContext | null): ResponseFacts => ({
  embeddingCalls: context?.embeddingCalls?.() ?? 0,
  hints: context?.hints?.() ?? [],
});

export interface SubgraphParts<Context extends WorkContext> {
  name: string;
  /** The path of schema.graphql. */
  schemaFile: string;
  resolvers: GraphQLResolverMap<Context>;
  dataset?: Dataset;
  /** Returns the fields that are unavailable at the moment. By default there are none. */
  unavailableFields?: () => readonly string[];
  files?: FileRoute;
  /** Creates the context of one request, which holds this work budget. */
  createContext: (work: WorkBudget, info?: OperationInfo) => Context;
  /** The scheduler of this process. By default the subgraph creates its own. */
  scheduler?: WorkScheduler | undefined;
  close: () => void | Promise<void>;
}

/**
 * Builds a federated subgraph from a schema file and its resolvers. Throws an error that names each
 * resolver for a field that the schema lacks, and each field that could never have a value because
 * it has no resolver.
 */
export function createSubgraph<Context extends WorkContext>({
  name,
  schemaFile,
  resolvers,
  dataset,
  unavailableFields = () => [],
  files,
  createContext,
  scheduler = createWorkScheduler(),
  close,
}: SubgraphParts<Context>): Subgraph<Context> {
  const resolverMap = resolvers as GraphQLResolverMap<unknown>;
  const schema = buildSubgraphSchema({ typeDefs: gql(readFileSync(schemaFile, 'utf8')), resolvers: resolverMap });
  checkResolvers(name, schema, resolverMap);
  return {
    name,
    schema: boundQueryResolvers(schema),
    dataset: dataset ?? null,
    unavailableTranslations: () => dataset?.unavailable() ?? [],
    scheduler,
    unavailableFields,
    files: files ?? null,
    createContext: (info) => createContext(scheduler.createBudget(), info),
    close,
  };
}

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

type ApolloExtensions = { apollo?: { subgraph?: { resolveReference?: unknown } } };

const hasReferenceResolver = ({ extensions }: GraphQLObjectType): boolean =>
  (extensions as ApolloExtensions).apollo?.subgraph?.resolveReference !== undefined;

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
