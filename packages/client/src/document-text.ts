/**
 * A document with its types: a `TypedDocumentString` or `TypedDocumentNode` of GraphQL Code
 * Generator, or a document of gql.tada.
 */
export interface TypedDocument<Result, Variables> {
  /**
   * Exists only as a type, from which TypeScript infers the types of the result and the variables.
   */
  __apiType?: (variables: Variables) => Result;
}

/** Turns the syntax tree of a document into text, as `print` of `graphql` does. */
export type PrintDocument = (document: never) => string;

/** A document as text, with its types. */
export interface DocumentText<Result, Variables> extends TypedDocument<Result, Variables> {
  toString(): string;
}

/**
 * Gives the text of a document the types of its result and variables. Returns the text unchanged.
 */
export const documentText = <Result, Variables>(text: string): DocumentText<Result, Variables> => text as never;

/**
 * Returns the text of a document. Throws a `TypeError` for a syntax tree without source text if
 * `print` is not given.
 */
export function textOf(document: unknown, print: PrintDocument | undefined): string {
  const isTree = typeof document === 'object' && document !== null && 'kind' in document;
  if (!isTree) return String(document);
  if (print) return print(document as never);
  const { loc } = document as { loc?: { source?: { body?: string } } };
  if (loc?.source?.body === undefined)
    throw new TypeError('This document is a syntax tree. Give createLecternClient the option `print` of graphql.');
  return loc.source.body;
}

/** Returns the name of the first operation if the text begins with this operation. */
export const operationNameOf = (text: string): string | undefined =>
  /^\s*(?:query|mutation)\s+([_A-Za-z]\w*)/.exec(text)?.[1];

/** Returns the SHA-256 hash of the text in hexadecimal, or null where Web Crypto is missing. */
export async function hashOf(text: string): Promise<string | null> {
  // Pages without TLS and Node.js 18 have no Web Crypto.
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return null;
  const digest = new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
