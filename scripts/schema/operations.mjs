import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NoDeprecatedCustomRule, validate } from 'graphql';
import { readText } from './command.mjs';
import { parseDocument } from './subgraphs.mjs';

/** The files of operations that clients send: `examples.graphql` beside each subgraph's schema, and every one in `folder`. */
export function operationFiles(subgraphs, folder) {
  const examples = subgraphs
    .map(({ file }) => join(dirname(file), 'examples.graphql'))
    .filter((file) => existsSync(file));
  const recorded = existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith('.graphql'))
        .sort()
        .map((file) => join(folder, file))
    : [];
  return [...examples, ...recorded];
}

/** Which of the operations cannot be answered any more, and which ask for something deprecated. */
export function checkOperations(files, schema) {
  const documents = files.map((file) => parseDocument(readText(file), file));
  const told = (errors) =>
    errors.map((error) => ({
      file: error.source?.name ?? '',
      line: error.locations?.[0]?.line ?? 1,
      operation: operationAt(documents, error),
      message: error.message,
    }));
  return {
    files,
    count: documents.flatMap(({ definitions }) => definitions.filter(({ kind }) => kind === 'OperationDefinition'))
      .length,
    faults: told(documents.flatMap((document) => validate(schema, document))),
    deprecated: told(documents.flatMap((document) => validate(schema, document, [NoDeprecatedCustomRule]))),
  };
}

/** The operation or the fragment that holds the place of an error, by its name. */
function operationAt(documents, error) {
  const at = error.positions?.[0] ?? 0;
  const document = documents.find(({ loc }) => loc.source === error.source);
  return document?.definitions.find(({ loc }) => loc.start <= at && at < loc.end)?.name?.value ?? null;
}
