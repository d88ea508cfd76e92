import { writeSealed } from '@lectern/data-files';
import type Database from 'better-sqlite3';
import { createCorpusHash, createEditionHash } from './content-digest';
import { corpusKind, schema } from './corpus-file';
import type { StoredEdition } from './stored-edition';

export interface CorpusSummary {
  digest: string;
  builtAt: string;
}

/** Writes a whole corpus in the place of the old one, or leaves that as it is. The caller holds the folder's lock. */
export async function writeCorpus(
  file: string,
  editions: readonly StoredEdition[],
  options: { now: () => Date; importer: string },
): Promise<CorpusSummary> {
  const { digest, builtAt } = await writeSealed(file, corpusKind, (db) => {
    db.exec(schema);
    const sorted = [...editions].sort((a, b) => (a.details.identifier < b.details.identifier ? -1 : 1));
    const hash = createCorpusHash();
    for (const [index, edition] of sorted.entries())
      hash.add(edition.details.identifier, insertEdition(db, index + 1, edition));
    return { digest: hash.digest(), builtAt: options.now().toISOString(), importer: options.importer };
  });
  return { digest, builtAt };
}

function insertEdition(db: Database.Database, number: number, edition: StoredEdition): string {
  const insertVerse = db.prepare('INSERT INTO verse (edition, ordinal, text) VALUES (?, ?, ?)');
  const insertTags = db.prepare('INSERT INTO word_tags (edition, ordinal, tags) VALUES (?, ?, ?)');
  const { details, books } = edition;
  const hash = createEditionHash(details, books);
  for (const { ordinal, text, tags } of edition.verses) {
    insertVerse.run(number, ordinal, text);
    if (tags !== null) insertTags.run(number, ordinal, tags);
    hash.add(ordinal, text, tags);
  }
  const digest = hash.digest();
  db.prepare('INSERT INTO edition (number, identifier, origin, details, books, digest) VALUES (?, ?, ?, ?, ?, ?)').run(
    number,
    details.identifier,
    edition.origin,
    JSON.stringify(details),
    JSON.stringify(books),
    digest,
  );
  return digest;
}
