import { writeTranslationFile } from '@lectern/data-files';
import type { StoredTranslation } from './convert-to-stored-translation';
import { type TextEntry, toStoredBooks } from './text-file';
import { textKind, textTables } from './text-sqlite-tables';
import { createTranslationHash } from './translation-digest';

/**
 * Writes the text of one translation in place of its old text. If anything fails, the old text
 * stays. The caller holds the lock of the data folder, and calls `updateCatalogue` afterwards.
 * Resolves with the digest of the text.
 */
export async function writeTranslationText(
  dataDir: string,
  translation: StoredTranslation,
  options: { now: () => Date; importer: string },
): Promise<string> {
  const { origin, details, books, verses } = translation;
  const { textDigest } = await writeTranslationFile(dataDir, textKind, details.identifier, (db) => {
    db.exec(textTables);
    const insertVerse = db.prepare('INSERT INTO verse (ordinal, text) VALUES (?, ?)');
    const insertTags = db.prepare('INSERT INTO word_tags (ordinal, tags) VALUES (?, ?)');
    const insertLayout = db.prepare('INSERT INTO layout (ordinal, layout) VALUES (?, ?)');
    const hash = createTranslationHash(details, books);
    for (const { ordinal, text, tags, layout } of verses) {
      insertVerse.run(ordinal, text);
      if (tags !== null) insertTags.run(ordinal, tags);
      if (layout !== null) insertLayout.run(ordinal, layout);
      hash.add(ordinal, text, tags, layout);
    }
    const entry: TextEntry = { origin, importer: options.importer, details, books: toStoredBooks(books) };
    return {
      identifier: details.identifier,
      textDigest: hash.digest(),
      entry: JSON.stringify(entry),
      builtAt: options.now().toISOString(),
    };
  });
  return textDigest;
}
