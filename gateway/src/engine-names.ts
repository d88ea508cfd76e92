import { getOperationAST, print, visit } from 'graphql';
import type { DocumentNode, NameNode, OperationDefinitionNode } from 'graphql';
import type { Asked, GoodOperation } from './operation';

/** The engine sends entities in a variable of this name, beside those of the client. */
const taken = 'representations';

export interface ForEngine extends Pick<Asked, 'query' | 'variables'> {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/** An operation with a variable of the engine's name, with another name in its place; any other as it is. The client has a right to the name. */
export function namedForEngine({ document, operation }: Pick<GoodOperation, 'document' | 'operation'>, { query, variables, operationName }: Asked): ForEngine {
  const names = new Set((operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value));
  if (!names.has(taken)) return { document, operation, query, variables };
  let free = `${taken}_`;
  while (names.has(free)) free += '_';
  const renamed = visit(document, { Variable: (node) => (node.name.value === taken ? { ...node, name: { ...node.name, value: free } satisfies NameNode } : undefined) });
  // What is sent under a name that nobody declares would else be the value of the free one.
  const declared = Object.entries(variables ?? {}).filter(([name]) => names.has(name));
  return {
    document: renamed,
    operation: getOperationAST(renamed, operationName) ?? operation,
    query: print(renamed),
    variables: Object.fromEntries(declared.map(([name, value]) => [name === taken ? free : name, value])),
  };
}
