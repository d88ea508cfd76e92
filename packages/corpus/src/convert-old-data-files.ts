import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isChecksummedFileError, openChecksummedFile, translationFile, updateCatalogue } from '@lectern/data-files';
import type { Origin, StoredTranslation, StoredVerse } from './convert-to-stored-translation';
import { textKind } from './text-sqlite-tables';
import type { TranslationBook } from './translation';
import { writeTranslationText } from './write-translation-text';

/** The data files of earlier versions of Lectern. Each file held all translations. */
const oldFiles = ['corpus.sqlite', 'search.sqlite', 'concordance.sqlite'];

const oldCorpusKind = { name: 'corpus', applicationId: textKind.applicationId, formatVersion: '1' };

/** Returns true if the data folder has files of earlier versions, one for all translations. */
export const hasOldDataFiles = (dataDir: string): boolean => oldFiles.some((name) => existsSync(join(dataDir, name)));

interface OldRow {
  number: number;
  origin: Origin;
  details: string;
  books: string;
}

type OldDetails = Omit<StoredTranslation['details'], 'features' | 'licence'>;

/**
 * Adds the details that earlier versions did not store. Earlier versions stored no paragraphs,
 * notes or headings, so the only possible feature is Strong's tags.
 */
const addDetails = (details: OldDetails): StoredTranslation['details'] => ({
  ...details,
  features: details.hasStrongsTagging ? ['STRONGS'] : [],
  licence: { code: 'NOASSERTION', holder: null, url: null },
});

/**
 * Copies each translation of an earlier version's corpus.sqlite to its own folder, and deletes the
 * old files. If corpus.sqlite cannot be used, logs a warning and deletes it too. Does nothing if
 * there are no old files. The caller holds the lock of the data folder.
 * If the process is killed, the next call continues.
 */
export async function convertOldDataFiles(dataDir: string, log: (line: string) => void): Promise<void> {
  if (!hasOldDataFiles(dataDir)) return;
  const corpus = join(dataDir, 'corpus.sqlite');
  let count = 0;
  if (existsSync(corpus)) {
    try {
      count = await copyTranslations(corpus, dataDir);
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      log(`warning: ${error.message}; imported translations of that file have to be imported again`);
    }
    await updateCatalogue(dataDir, textKind, { log });
  }
  // corpus.sqlite is deleted last. If the process is killed before that, the next call reads it
  // again.
  for (const name of [...oldFiles].reverse()) rmSync(join(dataDir, name), { force: true });
  log(
    `${dataDir} had one file for all translations: moved ${count} translations to ${join(dataDir, 'translations')}, one folder each; their indexes are built anew`,
  );
}

async function copyTranslations(corpus: string, dataDir: string): Promise<number> {
  const { db, manifest } = openChecksummedFile(corpus, oldCorpusKind);
  try {
    const rows = db.prepare<[], OldRow>('SELECT number, origin, details, books FROM edition').all();
    const versesOf = db.prepare<[number], StoredVerse>(
      'SELECT v.ordinal, v.text, w.tags, NULL AS layout FROM verse AS v LEFT JOIN word_tags AS w ON w.edition = v.edition AND w.ordinal = v.ordinal WHERE v.edition = ? ORDER BY v.ordinal',
    );
    const builtAt = new Date(manifest.get('builtAt') ?? 0);
    for (const { number, origin, details, books } of rows) {
      const stored: StoredTranslation = {
        origin,
        details: addDetails(JSON.parse(details) as OldDetails),
        books: JSON.parse(books) as TranslationBook[],
        verses: versesOf.all(number),
      };
      if (existsSync(translationFile(dataDir, textKind, stored.details.identifier))) continue;
      await writeTranslationText(dataDir, stored, { now: () => builtAt, importer: manifest.get('importer') ?? '' });
    }
    return rows.length;
  } finally {
    db.close();
  }
}
