import type { DocumentNode, FieldNode, GraphQLSchema, NameNode, OperationDefinitionNode } from 'graphql';
import { getOperationAST, Kind, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { keyFieldsOf } from '../supergraph/key-fields';
import type { GraphqlParams, ValidOperation } from '../validation/operation-validator';
import type { RawAnswer } from './format-response';

/** The engine sends entities in a variable of this name, beside those of the client. */
const representations = 'representations';
const typename = '__typename';

export interface ForEngine extends Pick<GraphqlParams, 'query' | 'variables'> {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** The answer under the names that the client gave. */
  readonly restored: (answer: RawAnswer) => RawAnswer;
}

/**
 * Names that clients have a right to and that the engine takes for something else: a variable `$representations`, and for a field the name of an entity's key or of its
 * type, under which the engine would look for those and take what it finds. Such an operation goes to the engine with other names in their place.
 */
export function createEngineNames(schema: GraphQLSchema, supergraph: DocumentNode) {
  const keyFields = keyFieldsOf(supergraph);
  const isTaken = (alias: string, type: string | undefined): boolean =>
    alias === typename || (type !== undefined && keyFields.get(type)?.has(alias) === true);

  return (
    { document, operation }: Pick<ValidOperation, 'document' | 'operation'>,
    { query, variables, operationName }: GraphqlParams,
  ): ForEngine => {
    const used = new Set<string>();
    visit(document, { Name: ({ value }) => void used.add(value) });
    /** Names of our own by those of the client. */
    const aliases = new Map<string, string>();
    const free = (name: string): string => {
      let own = `${name.replace(/^_+/, '')}_`;
      while (used.has(own)) own += '_';
      used.add(own);
      return own;
    };
    const ownVariable = operation.variableDefinitions?.some(({ variable }) => variable.name.value === representations)
      ? free(representations)
      : null;
    const types = new TypeInfo(schema);
    const renamed = visit(
      document,
      visitWithTypeInfo(types, {
        Variable: (node) =>
          ownVariable !== null && node.name.value === representations
            ? { ...node, name: nameNode(ownVariable) }
            : undefined,
        Field(node): FieldNode | undefined {
          const alias = node.alias?.value;
          if (alias === undefined || alias === node.name.value || !isTaken(alias, types.getParentType()?.name))
            return undefined;
          const own = aliases.get(alias) ?? free(alias);
          aliases.set(alias, own);
          return { ...node, alias: nameNode(own) };
        },
      }),
    );
    if (ownVariable === null && aliases.size === 0)
      return { document, operation, query, variables, restored: (answer) => answer };
    return {
      document: renamed,
      operation: getOperationAST(renamed, operationName) ?? operation,
      query: print(renamed),
      variables: ownVariable === null ? variables : withVariable(operation, variables, ownVariable),
      restored: (answer) => withNames(answer, new Map([...aliases].map(([alias, own]) => [own, alias]))),
    };
  };
}

const nameNode = (value: string): NameNode => ({ kind: Kind.NAME, value });

/** Only what is declared: what is sent under a name that nobody declares would else be the value of the free one. */
function withVariable(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: GraphqlParams['variables'],
  own: string,
): Record<string, unknown> {
  const declared = new Set(variableDefinitions.map(({ variable }) => variable.name.value));
  return Object.fromEntries(
    Object.entries(variables ?? {})
      .filter(([name]) => declared.has(name))
      .map(([name, value]) => [name === representations ? own : name, value]),
  );
}

function withNames(answer: RawAnswer, names: ReadonlyMap<string, string>): RawAnswer {
  const valueOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(valueOf);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, valueOf(inner)]));
  };
  const at = <Fault extends { path?: readonly (string | number)[] | undefined }>({ path, ...fault }: Fault) => ({
    ...fault,
    path: path?.map((step) => names.get(String(step)) ?? step),
  });
  const { data, errors, extensions } = answer;
  const unreported = extensions?.['valueCompletion'] as RawAnswer['errors'];
  return {
    ...(data !== undefined && { data: valueOf(data) as RawAnswer['data'] }),
    ...(errors && {
      errors: errors.map(({ message, path, extensions: more }) => at({ message, path, extensions: more })),
    }),
    ...(extensions && {
      extensions: {
        ...extensions,
        ...(unreported && { valueCompletion: unreported.map(({ message, path }) => at({ message, path })) }),
      },
    }),
  };
}
