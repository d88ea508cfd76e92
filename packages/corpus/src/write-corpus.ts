import { writeChecksummedFile } from '@lectern/data-files';
import type Database from 'better-sqlite3';
import { corpusKind, schema } from './corpus-schema';
import type { StoredTranslation } from './stored-translation';
import { createCorpusHash, createTranslationHash } from './translation-digest';

export interface CorpusSummary {
  digest: string;
  builtAt: string;
}

/** Replaces the corpus. If anything fails, the old corpus stays. The caller holds the lock of the data folder. */
export async function writeCorpus(
  file: string,
  translations: readonly StoredTranslation[],
  options: { now: () => Date; importer: string },
): Promise<CorpusSummary> {
  const { digest, builtAt } = await writeChecksummedFile(file, corpusKind, (db) => {
    db.exec(schema);
    const sorted = [...translations].sort((a, b) => (a.details.identifier < b.details.identifier ? -1 : 1));
    const hash = createCorpusHash();
    for (const [index, translation] of sorted.entries())
      hash.add(translation.details.identifier, insertTranslation(db, index + 1, translation));
    return { digest: hash.digest(), builtAt: options.now().toISOString(), importer: options.importer };
  });
  return { digest, builtAt };
}

function insertTranslation(db: Database.Database, number: number, translation: StoredTranslation): string {
  const insertVerse = db.prepare('INSERT INTO verse (edition, ordinal, text) VALUES (?, ?, ?)');
  const insertTags = db.prepare('INSERT INTO word_tags (edition, ordinal, tags) VALUES (?, ?, ?)');
  const { details, books } = translation;
  const hash = createTranslationHash(details, books);
  for (const { ordinal, text, tags } of translation.verses) {
    insertVerse.run(number, ordinal, text);
    if (tags !== null) insertTags.run(number, ordinal, tags);
    hash.add(ordinal, text, tags);
  }
  const digest = hash.digest();
  db.prepare('INSERT INTO edition (number, identifier, origin, details, books, digest) VALUES (?, ?, ?, ?, ?, ?)').run(
    number,
    details.identifier,
    translation.origin,
    JSON.stringify(details),
    JSON.stringify(books),
    digest,
  );
  return digest;
}
