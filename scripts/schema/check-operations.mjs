import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NoDeprecatedCustomRule, validate } from 'graphql';
import { readText } from '../command-line.mjs';
import { parseDocument } from './compose-subgraphs.mjs';

/**
 * Lists the files of client operations that exist: `examples.graphql` beside each subgraph's schema, `files`, and all
 * files in `folder`.
 */
export function operationFiles(subgraphs, files, folder) {
  const examples = subgraphs.map((subgraph) => join(dirname(subgraph.file), 'examples.graphql'));
  const ofClients = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.graphql'))
        .sort()
        .map((file) => join(folder, file))
    : [];
  return [...[...examples, ...files].filter((each) => existsSync(each)), ...ofClients];
}

/** Validates client operations against the schema. `deprecated` lists their uses of deprecated elements. */
export function checkOperations(files, schema) {
  const documents = files.map((file) => parseDocument(readText(file), file));
  const withPlaces = (errors) =>
    errors.map((error) => ({
      file: error.source?.name ?? '',
      line: error.locations?.[0]?.line ?? 1,
      operation: definitionNameAt(documents, error),
      message: error.message,
    }));
  const operations = documents.flatMap(({ definitions }) =>
    definitions.filter(({ kind }) => kind === 'OperationDefinition'),
  );
  return {
    files,
    count: operations.length,
    errors: withPlaces(documents.flatMap((document) => validate(schema, document))),
    deprecated: withPlaces(documents.flatMap((document) => validate(schema, document, [NoDeprecatedCustomRule]))),
  };
}

/** Returns the name of the operation or fragment that contains the error, or null if the operation is anonymous. */
function definitionNameAt(documents, error) {
  const position = error.positions?.[0] ?? 0;
  const document = documents.find(({ loc }) => loc.source === error.source);
  return document?.definitions.find(({ loc }) => loc.start <= position && position < loc.end)?.name?.value ?? null;
}
