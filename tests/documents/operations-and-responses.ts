import { createHash } from 'node:crypto';
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

export const post = ({ url }: Pick<EmbeddedLectern, 'url'>, token: string, body: object) =>
  send(url, { headers: graphqlHeaders(token), body: JSON.stringify(body) });
export const persistedQuery = (sha256Hash: string) => ({ extensions: { persistedQuery: { version: 1, sha256Hash } } });
