import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { errorMessage, isJsonObject } from '@lectern/serving';
import { type DocumentNode, GraphQLError, Kind, parse } from 'graphql';
import type { Rejection } from '../validation/rejection';

/** Returns the SHA-256 hash of a query, in lower-case hexadecimal digits. */
export const hashQuery = (query: string): string => createHash('sha256').update(query).digest('hex');

export const isQueryHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/** An operation that an operator has published. Clients may send its id instead of its text. */
export interface TrustedDocument {
  readonly id: string;
  /** The name of the operation, or its id if the manifest does not name it. */
  readonly name: string;
  readonly query: string;
}

const maxDocuments = 10_000;
const maxIdCharacters = 200;

const forms =
  'A manifest is {"format": "apollo-persisted-query-manifest", "version": 1, "operations": [{"id", "name", "type", "body"}]}, or Relay\'s map {"id": "query"}.';

/** Parses a manifest of Apollo, or Relay's map from ids to documents. Throws for the operator. Checks no document. */
export function parseManifest(text: string): readonly TrustedDocument[] {
  const documents = readDocuments(parseJson(text));
  if (documents.length === 0) throw new Error(`The manifest has no operations. ${forms}`);
  if (documents.length > maxDocuments)
    throw new Error(`The manifest has ${documents.length} operations: it may have at most ${maxDocuments}.`);
  const ids = new Map<string, string>();
  for (const { id, name } of documents) {
    const other = ids.get(id);
    if (other !== undefined)
      throw new Error(`The operations ${quote(other)} and ${quote(name)} have the same id: keep one of them.`);
    ids.set(id, name);
  }
  return documents;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The manifest is not JSON, or it is cut off: create it again, and replace the file by a rename.');
  }
}

function readDocuments(value: unknown): TrustedDocument[] {
  if (!isJsonObject(value)) throw new Error(`The manifest is not a JSON object. ${forms}`);
  const { format, version, operations } = value;
  if (format === undefined && operations === undefined)
    return Object.entries(value).map(([id, body]) => readDocument({ id, body }));
  if (format !== 'apollo-persisted-query-manifest' || version !== 1 || !Array.isArray(operations))
    throw new Error(`The manifest has another format or version. ${forms}`);
  return operations.map((operation: unknown, index) => {
    if (!isJsonObject(operation)) throw new Error(`Operation ${index + 1} of the manifest is not an object. ${forms}`);
    return readDocument(operation);
  });
}

function readDocument({ id, name = id, body }: Record<string, unknown>): TrustedDocument {
  const shown = typeof name === 'string' ? quote(name) : 'without a name';
  if (typeof id !== 'string' || id === '' || id.length > maxIdCharacters)
    throw new Error(`The operation ${shown} needs an "id" of 1 to ${maxIdCharacters} characters.`);
  if (typeof name !== 'string') throw new Error(`The operation with the id ${quote(id)} needs a "name".`);
  if (typeof body !== 'string') throw new Error(`The operation ${shown} has no text: its value must be a string.`);
  return { id, name, query: body };
}

const maxShownCharacters = 100;
export const quote = (text: string): string => JSON.stringify(text.slice(0, maxShownCharacters));

/** Returns why a document is invalid under every schema, such as a syntax error, or null if it is not. */
function findDocumentError({ id, query }: TrustedDocument): string | null {
  if (isQueryHash(id) && hashQuery(query) !== id)
    return 'its id looks like a SHA-256 hash, but is not the hash of its text: create the manifest again';
  let document: DocumentNode;
  try {
    document = parse(query, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return `it is not GraphQL: ${error.message}`;
    throw error;
  }
  const types = document.definitions.flatMap((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? [each.operation] : [],
  );
  if (types.length !== 1)
    return `it has ${types.length} operations: give each operation an entry of its own, with its fragments`;
  return types[0] === 'query' ? null : `it is a ${types[0]}: the API only reads, so remove it from the manifest`;
}

/** A document that no request could execute, and the reason, for an operator. */
export interface InvalidDocument {
  readonly name: string;
  readonly reason: string;
}

export interface CheckedGraph {
  /** Checks a document against schema and limits, and plans it, so that its first request need not wait. */
  checkDocument(query: string): Promise<Rejection | null>;
}

/** Resolves with the invalid documents. A check takes milliseconds, so requests may run between two checks. */
export async function checkDocuments(
  graph: CheckedGraph,
  documents: readonly TrustedDocument[],
): Promise<readonly InvalidDocument[]> {
  const invalid: InvalidDocument[] = [];
  for (const document of documents) {
    const reason = findDocumentError(document) ?? (await findRejection(graph, document));
    if (reason !== null) invalid.push({ name: document.name, reason });
    await nextTurn();
  }
  return invalid;
}

const maxShownErrors = 3;

/** Returns why the schema or the limits reject a document, or why it cannot be planned. */
async function findRejection(graph: CheckedGraph, { query }: TrustedDocument): Promise<string | null> {
  try {
    const rejection = await graph.checkDocument(query);
    if (!rejection) return null;
    const messages = rejection.errors.slice(0, maxShownErrors).map(({ message }) => message);
    const more = rejection.errors.length - messages.length;
    return `${messages.join(' ')}${more > 0 ? ` And ${more} more errors.` : ''}`;
  } catch (error) {
    return `it cannot be planned: ${errorMessage(error)}`;
  }
}
