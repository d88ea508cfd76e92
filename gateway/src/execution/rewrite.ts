import type { DocumentNode, FieldNode, GraphQLSchema, NameNode, OperationDefinitionNode } from 'graphql';
import { getOperationAST, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { readKeyFields } from '../supergraph/directives';
import { type ChosenOperation, separateOperation, type Variables } from './operation';
import { representationsVariable } from './plan/fetch';
import type { RawError, RawResponse } from './response';

const typename = '__typename';

/** An operation in the form that @apollo/gateway executes. */
export interface RewrittenOperation extends ChosenOperation {
  /** Whether any name in the operation differs from the client's name. */
  readonly isRenamed: boolean;
  /** The client's names of renamed fields, by new name. */
  readonly clientNames: ReadonlyMap<string, string>;
  renameVariables(variables: Variables | null): Variables | null;
  /** Returns the response with the client's names. */
  restoreNames(response: RawResponse): RawResponse;
}

/**
 * Rewrites names that clients may use and that the execution would misread:
 * - The variable `$representations`: @apollo/gateway uses this name for the entities of a fetch.
 * - An alias that equals a key field of the entity or `__typename`: @apollo/gateway would read the
 *   aliased field's value as the key or the type.
 * - The alias `__proto__`: the query-plan executor would set a prototype.
 *
 * The rewritten document has one operation, so that @apollo/gateway needs no operation name. The
 * document has no fragments of other operations, because @apollo/gateway would reject newer
 * introspection fields in them.
 */
export function createAliasRewriting(schema: GraphQLSchema, supergraph: DocumentNode) {
  const keyFields = readKeyFields(supergraph);
  const isReserved = (alias: string, type: string | undefined): boolean =>
    alias === typename || alias === '__proto__' || (type !== undefined && keyFields.get(type)?.has(alias) === true);

  return (operation: ChosenOperation): RewrittenOperation => {
    const { document, definition } = operation;
    const uniqueName = createUniqueNames(document);
    const newAliases = new Map<string, string>();
    const newVariable = variableNames(definition).includes(representationsVariable)
      ? uniqueName(representationsVariable)
      : null;
    const types = new TypeInfo(schema);
    const renamed = visit(
      separateOperation(operation).document,
      visitWithTypeInfo(types, {
        Variable: (node) =>
          newVariable !== null && node.name.value === representationsVariable
            ? { ...node, name: nameNode(newVariable) }
            : undefined,
        Field(node): FieldNode | undefined {
          const alias = node.alias?.value;
          if (alias === undefined || alias === node.name.value || !isReserved(alias, types.getParentType()?.name))
            return undefined;
          const newAlias = newAliases.get(alias) ?? uniqueName(alias);
          newAliases.set(alias, newAlias);
          return { ...node, alias: nameNode(newAlias) };
        },
      }),
    );
    const clientNames = new Map([...newAliases].map(([alias, newAlias]) => [newAlias, alias]));
    return {
      document: renamed,
      definition: getOperationAST(renamed) ?? definition,
      isRenamed: newVariable !== null || newAliases.size > 0,
      clientNames,
      renameVariables: (variables) =>
        newVariable === null ? variables : renameVariable(definition, variables, newVariable),
      restoreNames: (response) =>
        clientNames.size === 0 && newVariable === null ? response : renameKeys(response, clientNames),
    };
  };
}

/** Returns a function that makes a name which the document does not use. */
function createUniqueNames(document: DocumentNode) {
  const used = new Set<string>();
  visit(document, { Name: ({ value }) => void used.add(value) });
  return (name: string): string => {
    let unique = `${name.replace(/^_+/, '')}_`;
    while (used.has(unique)) unique += '_';
    used.add(unique);
    return unique;
  };
}

const variableNames = ({ variableDefinitions = [] }: OperationDefinitionNode): string[] =>
  variableDefinitions.map(({ variable }) => variable.name.value);

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value });

/**
 * Renames the variable `representations`. Drops undeclared variables: one of them may have the new
 * name.
 */
function renameVariable(definition: OperationDefinitionNode, variables: Variables | null, newName: string): Variables {
  const declared = new Set(variableNames(definition));
  return Object.fromEntries(
    Object.entries(variables ?? {})
      .filter(([name]) => declared.has(name))
      .map(([name, value]) => [name === representationsVariable ? newName : name, value]),
  );
}

function renameKeys(response: RawResponse, names: ReadonlyMap<string, string>): RawResponse {
  const renameIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renameIn);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, renameIn(inner)]));
  };
  const renameErrors = (list: readonly RawError[]): RawError[] =>
    list.map(({ message, path, extensions }) => ({
      message,
      path: path?.map((step) => names.get(String(step)) ?? step),
      extensions,
    }));
  const { data, errors, extensions } = response;
  const completionErrors = extensions?.['valueCompletion'] as RawResponse['errors'];
  return {
    ...(data !== undefined && { data: renameIn(data) as RawResponse['data'] }),
    ...(errors && { errors: renameErrors(errors) }),
    ...(extensions && {
      extensions: { ...extensions, ...(completionErrors && { valueCompletion: renameErrors(completionErrors) }) },
    }),
  };
}
