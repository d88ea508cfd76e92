import { createHash } from 'node:crypto';
import { corpusKind } from './corpus-file';
import type { StoredEdition } from './stored-edition';

/** The digest of one edition: what it says of itself, its books, and its verses in order. */
export function createEditionHash(details: StoredEdition['details'], books: StoredEdition['books']) {
  const hash = createHash('sha256').update(`${JSON.stringify(details)}\n${JSON.stringify(books)}\n`);
  return {
    add: (ordinal: number, text: string, tags: string | null): void => {
      hash.update(`${ordinal}\t${text}\t${tags ?? ''}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}

/** The digest of a corpus, over its editions in the order of their identifiers: the same texts give the same digest, whenever built. */
export function createCorpusHash() {
  const hash = createHash('sha256').update(`corpus ${corpusKind.formatVersion}\n`);
  return {
    add: (identifier: string, editionDigest: string): void => {
      hash.update(`${identifier} ${editionDigest}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}
