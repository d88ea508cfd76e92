import { existsSync } from 'node:fs';
import type { Corpus } from '@lectern/corpus';
import { isChecksummedFileError, openChecksummedFile } from '@lectern/data-files';
import Database from 'better-sqlite3';
import { createVerseAligner } from './alignment/aligned-verses';
import { createLexiconReader } from './lexicons/queries';
import { lexiconTables } from './lexicons/read-lexicons';
import { createOriginalsReader } from './reader';
import { createSearch } from './search/search';
import { originalsFile, originalsKind, originalsTables } from './tables';

interface OriginalsStoreOptions {
  /** The data folder with originals.sqlite. */
  dataDir: string;
  corpus: Corpus;
  /** Called with the text of each SQL statement that runs, so that tests can count the statements. */
  onStatement?: ((statement: string) => void) | undefined;
}

const remedy = 'install bibledit-data or name its folder in ORIGINALS_PATH, then run `npm run data`';

/** The texts are optional, so an unusable file is no error: the store has no texts, and `missing` says what to do. */
export function openOriginalsStore({ dataDir, corpus, onStatement }: OriginalsStoreOptions) {
  const { db, missing } = openFile(originalsFile(dataDir), onStatement);
  const reader = createOriginalsReader(db);
  return {
    reader,
    search: createSearch(db, reader),
    lexicons: createLexiconReader(db),
    aligner: createVerseAligner(reader, corpus),
    /** A message of one line that names the missing texts and says what to do. Null if no text is missing. */
    missing:
      missing ??
      (reader.texts.length === 2
        ? null
        : `the Hebrew and Greek texts were not there when ${originalsFile(dataDir)} was built: ${remedy}`),
    close: () => void db.close(),
  };
}

export type OriginalsStore = ReturnType<typeof openOriginalsStore>;

/** Opens originals.sqlite. If the file cannot be used, opens an empty database with the same tables. */
function openFile(file: string, onStatement: OriginalsStoreOptions['onStatement']) {
  const withoutTexts = (missing: string) => {
    const db = new Database(':memory:');
    db.exec(originalsTables + lexiconTables);
    return { db, missing };
  };
  if (!existsSync(file)) return withoutTexts(`${file} is missing: ${remedy}`);
  try {
    return { db: openChecksummedFile(file, originalsKind, { onStatement }).db, missing: null };
  } catch (error) {
    if (isChecksummedFileError(error)) return withoutTexts(error.message);
    throw error;
  }
}
