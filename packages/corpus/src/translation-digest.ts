import { createHash } from 'node:crypto';
import { corpusKind } from './corpus-schema';
import type { StoredTranslation } from './stored-translation';

/** Computes the digest of a translation from its details, its books and, added in order, its verses. */
export function createTranslationHash(details: StoredTranslation['details'], books: StoredTranslation['books']) {
  const hash = createHash('sha256').update(`${JSON.stringify(details)}\n${JSON.stringify(books)}\n`);
  return {
    add: (ordinal: number, text: string, tags: string | null): void => {
      hash.update(`${ordinal}\t${text}\t${tags ?? ''}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}

/**
 * Computes the digest of a corpus from the digests of its translations, added in the order of their
 * identifiers. The digest depends only on the texts, not on the time of the build.
 */
export function createCorpusHash() {
  const hash = createHash('sha256').update(`corpus ${corpusKind.formatVersion}\n`);
  return {
    add: (identifier: string, translationDigest: string): void => {
      hash.update(`${identifier} ${translationDigest}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}
