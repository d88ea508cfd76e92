import { createHash } from 'node:crypto';
import { corpusKind } from './corpus-file';
import type { StoredTranslation } from './stored-translation';

/** The digest of one translation: what it says of itself, its books, and its verses in order. */
export function createTranslationHash(details: StoredTranslation['details'], books: StoredTranslation['books']) {
  const hash = createHash('sha256').update(`${JSON.stringify(details)}\n${JSON.stringify(books)}\n`);
  return {
    add: (ordinal: number, text: string, tags: string | null): void => {
      hash.update(`${ordinal}\t${text}\t${tags ?? ''}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}

/** The digest of a corpus, over its translations in the order of their identifiers: the same texts give the same digest, whenever built. */
export function createCorpusHash() {
  const hash = createHash('sha256').update(`corpus ${corpusKind.formatVersion}\n`);
  return {
    add: (identifier: string, translationDigest: string): void => {
      hash.update(`${identifier} ${translationDigest}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}
