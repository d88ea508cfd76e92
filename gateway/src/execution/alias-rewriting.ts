import type { DocumentNode, FieldNode, GraphQLSchema, NameNode } from 'graphql';
import { getOperationAST, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { readKeyFields } from '../supergraph/directives';
import { type ChosenOperation, separateOperation, type Variables, variableNames } from './chosen-operation';
import { representationsVariable } from './plan/fetch';
import type { RawError, RawResponse } from './response';

/** An operation whose names are changed so that @apollo/gateway can execute the operation. */
export interface RewrittenOperation extends ChosenOperation {
  /** Whether at least one name in the operation differs from the name that the client sent. */
  readonly isRenamed: boolean;
  /** Maps each new response key to the response key that the client sent. */
  readonly clientNames: ReadonlyMap<string, string>;
  renameVariables(variables: Variables | null): Variables | null;
  /** Returns the response with the response keys that the client sent. */
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
  const isReserved = (alias: string, type = ''): boolean =>
    alias === '__typename' || alias === '__proto__' || keyFields.get(type)?.has(alias) === true;

  return (operation: ChosenOperation): RewrittenOperation => {
    const { document, definition } = operation;
    const uniqueName = createUniqueNames(document);
    const declared = variableNames(definition);
    const newVariable = declared.includes(representationsVariable) ? uniqueName(representationsVariable) : null;
    const newAliases = new Map<string, string>();
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
    const isRenamed = newVariable !== null || newAliases.size > 0;
    return {
      document: renamed,
      definition: getOperationAST(renamed) ?? definition,
      isRenamed,
      clientNames,
      renameVariables(variables) {
        if (newVariable === null) return variables;
        // Undeclared variables are dropped, because one of them may have the same name as a renamed variable.
        const sent = Object.entries(variables ?? {}).filter(([name]) => declared.includes(name));
        return Object.fromEntries(
          sent.map(([name, value]) => [name === representationsVariable ? newVariable : name, value]),
        );
      },
      restoreNames: (response) => (isRenamed ? renameKeys(response, clientNames) : response),
    };
  };
}

/** Creates the function that makes names that the document does not use. */
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

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value });

function renameKeys({ data, errors, extensions }: RawResponse, names: ReadonlyMap<string, string>): RawResponse {
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
  const completionErrors = extensions?.['valueCompletion'] as RawResponse['errors'];
  return {
    data: renameIn(data) as RawResponse['data'],
    errors: errors && renameErrors(errors),
    extensions: extensions && { ...extensions, valueCompletion: completionErrors && renameErrors(completionErrors) },
  };
}
