import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { Kind, parse, print, separateOperations, stripIgnoredCharacters } from 'graphql';
import { root } from './install-and-build.mjs';
import { readSchema } from './schema/reference-schema.mjs';

export const clientOperationsFile = join(root, 'packages/client/src/operations.generated.ts');

const documentsFile = join(root, 'packages/client/documents.graphql');

/**
 * Generates the documents of packages/client and their types, from its operations and supergraph.graphql.
 */
export async function generateClientOperations() {
  const document = parse(readFileSync(documentsFile, 'utf8'));
  const { schema } = readSchema(readFileSync(join(root, 'supergraph.graphql'), 'utf8'), 'supergraph.graphql');
  const types = await codegen({
    filename: clientOperationsFile,
    schema: parse('type Query { unused: Int }'),
    schemaAst: schema,
    documents: [{ location: documentsFile, document }],
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
    config: {
      immutableTypes: true,
      enumType: 'string-literal',
      arrayInputCoercion: false,
      disableDescriptions: true,
      scalars: { ISO8601Date: 'string', ISO8601DateTime: 'string' },
    },
  });
  return [
    '// `npm run docs` writes this file from documents.graphql and the schema.',
    "import type { DocumentText } from './documents.js';\n",
    types,
    ...Object.entries(separateOperations(document)).map(
      ([name, operation]) =>
        `export const ${name}Document = '${stripIgnoredCharacters(print(withOperationFirst(operation)))}' as ` +
        `DocumentText<${name}Query, ${name}QueryVariables>;`,
    ),
    '',
  ].join('\n');
}

/** The client reads the name of the operation from the beginning of the text. */
const withOperationFirst = (document) => ({
  ...document,
  definitions: [...document.definitions].sort((a, b) => kindOrder(a) - kindOrder(b)),
});

const kindOrder = ({ kind }) => (kind === Kind.OPERATION_DEFINITION ? 0 : 1);
