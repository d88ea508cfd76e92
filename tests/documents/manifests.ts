import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphqlHeaders, send } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';

export const hashOf = (query: string) => createHash('sha256').update(query).digest('hex');

export interface Operation {
  id?: string;
  name?: string;
  type?: string;
  body: string;
}
export const verse = { name: 'Verse', body: 'query Verse { verse(book: "JHN", chapter: 11, verse: 35) { text } }' };
export const books = { name: 'Books', body: 'query Books { books { bookId } }' };
export const withVariable = {
  id: 'verse-of-john',
  name: 'VerseOfJohn',
  body: 'query VerseOfJohn($verse: Int!) { verse(book: "JHN", chapter: 11, verse: $verse) { text } }',
};
export const jesusWept = { data: { verse: { text: 'Jesus wept.' } } };
export const notInSafelist = { errors: [{ extensions: { code: 'QUERY_NOT_IN_SAFELIST' } }] };
export const notFound = { errors: [{ extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] };

export const apolloManifest = (operations: readonly Operation[], rest: object = {}): string =>
  JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: operations.map(({ id, name, type = 'query', body }) => ({ id: id ?? hashOf(body), name, type, body })),
    ...rest,
  });

const folder = mkdtempSync(join(tmpdir(), 'lectern-documents-'));
export const removeManifests = (): void => rmSync(folder, { recursive: true, force: true });

/** Writes a manifest by a rename, and returns its path. */
export function writeManifest(text: string, name = 'manifest.json'): string {
  const file = join(folder, name);
  // Test files that run in one process share this folder, and each of them removes it.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
  return file;
}

export const post = ({ url }: Pick<EmbeddedLectern, 'url'>, token: string, body: object) =>
  send(url, { headers: graphqlHeaders(token), body: JSON.stringify(body) });
export const persistedQuery = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
