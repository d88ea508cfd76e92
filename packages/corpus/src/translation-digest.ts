import { createHash } from 'node:crypto';
import type { StoredTranslation } from './convert-to-stored-translation';

/**
 * Computes the digest of a translation from its details, its books and, added in order, its verses.
 */
export function createTranslationHash(details: StoredTranslation['details'], books: StoredTranslation['books']) {
  const hash = createHash('sha256').update(`${JSON.stringify(details)}\n${JSON.stringify(books)}\n`);
  return {
    add: (ordinal: number, text: string, tags: string | null, layout: string | null): void => {
      hash.update(`${ordinal}\t${text}\t${tags ?? ''}\t${layout ?? ''}\n`);
    },
    digest: (): string => hash.digest('hex'),
  };
}
