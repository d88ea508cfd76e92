import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import { Kind, parse, print, separateOperations, stripIgnoredCharacters } from 'graphql';
import { root } from './install-and-build.mjs';
import { readSchema } from './schema/read-reference-schema.mjs';

/** The packages with operations, and the module from which the generated file imports the type of a document. */
const documentTextModules = { client: './client.js', mcp: '@lectern/client' };

/** Returns the file that holds the generated operations of packages/client or packages/mcp. */
export const operationsFile = (packageName) => join(root, 'packages', packageName, 'src/operations.generated.ts');

/**
 * Generates the documents of packages/client or packages/mcp and their types, from its documents.graphql and
 * supergraph.graphql.
 */
export async function generateOperations(packageName) {
  const documentsFile = join(root, 'packages', packageName, 'documents.graphql');
  const document = parse(readFileSync(documentsFile, 'utf8'));
  const { schema } = readSchema(readFileSync(join(root, 'supergraph.graphql'), 'utf8'), 'supergraph.graphql');
  const types = await codegen({
    filename: operationsFile(packageName),
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
    `import type { DocumentText } from '${documentTextModules[packageName]}';\n`,
    types,
    ...Object.entries(separateOperations(document)).map(
      ([name, operation]) =>
        `export const ${name}Document = '${stripIgnoredCharacters(print(withOperationFirst(operation)))}' as ` +
        `DocumentText<${name}Query, ${name}QueryVariables>;`,
    ),
    '',
  ].join('\n');
}

/** The file that holds the functions of packages/client. */
export const functionsFile = join(root, 'packages/client/src/functions.generated.ts');

/** Generates a function for each operation of packages/client. Its documents.graphql says which value a function returns. */
export function generateFunctions() {
  const { definitions } = parse(readFileSync(join(root, 'packages/client/documents.graphql'), 'utf8'));
  const operations = definitions.filter((each) => each.kind === Kind.OPERATION_DEFINITION);
  return `// \`npm run docs\` writes this file from documents.graphql.
import type { Arguments, LecternClient } from './client.js';
import * as generated from './operations.generated.js';
import { readNullable, readValue } from './operations.js';

// Bundlers can remove unused arrow functions, but not unused results of calls.
${operations.map(functionOf).join('\n')}`;
}

function functionOf(/** @type {any} */ { name: { value: name }, loc, selectionSet }) {
  const comment = loc.startToken.prev?.value?.trim() ?? '';
  const [root, ...others] = pathOf(selectionSet);
  const read = comment.includes('Null if') ? 'readNullable' : 'readValue';
  return `/** ${comment} */
export const ${name.charAt(0).toLowerCase()}${name.slice(1)} = (client: LecternClient, ...args: Arguments<generated.${name}QueryVariables>) =>
  ${read}(client, generated.${name}Document, args, ({ ${root} }) => ${[root, ...others].join('?.')});
`;
}

/** Returns the names of the fields down to the first that selects several fields, or a fragment. */
function pathOf(/** @type {any} */ { selections: [first, ...others] = [] } = {}) {
  return first?.kind === Kind.FIELD && others.length === 0 ? [first.name.value, ...pathOf(first.selectionSet)] : [];
}

/** Puts the operation before its fragments: the client reads the operation's name from the beginning of the text. */
const withOperationFirst = (document) => ({
  ...document,
  definitions: [...document.definitions].sort((a, b) => kindOrder(a) - kindOrder(b)),
});

const kindOrder = ({ kind }) => (kind === Kind.OPERATION_DEFINITION ? 0 : 1);
