import { existsSync } from 'node:fs';
import type { Corpus } from '@lectern/corpus';
import { isChecksummedFileError, openChecksummedFile } from '@lectern/data-files';
import { createVerseAligner, type VerseAligner } from './alignment/verses';
import { createLexiconReader, type LexiconReader } from './lexicons/queries';
import { createOriginalsReader, type OriginalsReader } from './reader';
import { createSearch, type OriginalSearch } from './search/search';
import { originalsFile, originalsKind } from './tables';

interface OriginalsStoreOptions {
  /** The data folder with originals.sqlite. */
  dataDir: string;
  corpus: Corpus;
  /** Called with each SQL statement that runs, so that tests can count the statements. */
  onStatement?: ((statement: string) => void) | undefined;
}

/** Without the file, or without texts in the file, `missing` says what to do and the readers are null. */
export interface OriginalsStore {
  readonly reader: OriginalsReader | null;
  readonly search: OriginalSearch | null;
  readonly lexicons: LexiconReader | null;
  readonly aligner: VerseAligner | null;
  /** One line, or null if both texts are there. */
  readonly missing: string | null;
  close(): void;
}

const remedy = 'install bibledit-data or name its folder in ORIGINALS_PATH, run `npm run data` and restart';

/** Opens originals.sqlite. Never throws because of the file: the texts are optional. */
export function openOriginalsStore({ dataDir, corpus, onStatement }: OriginalsStoreOptions): OriginalsStore {
  const file = originalsFile(dataDir);
  const withoutReader = (missing: string): OriginalsStore => ({
    reader: null,
    search: null,
    lexicons: null,
    aligner: null,
    missing,
    close: () => {},
  });
  if (!existsSync(file)) return withoutReader(`${file} is missing: ${remedy}`);
  try {
    const { db } = openChecksummedFile(file, originalsKind, { onStatement });
    const reader = createOriginalsReader(db);
    const isComplete = reader.texts.length === 2;
    return {
      reader,
      search: reader.texts.length === 0 ? null : createSearch(db, reader),
      lexicons: createLexiconReader(db),
      aligner: createVerseAligner(reader, corpus),
      missing: isComplete ? null : `the Hebrew and Greek texts were not there when ${file} was built: ${remedy}`,
      close: () => db.close(),
    };
  } catch (error) {
    if (isChecksummedFileError(error)) return withoutReader(error.message);
    throw error;
  }
}
