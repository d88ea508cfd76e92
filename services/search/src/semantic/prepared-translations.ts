import { isChecksummedFileError } from '@lectern/data-files';
import type { OpenVectors, SharedRows } from '@lectern/embeddings';
import { textsDigest } from '@lectern/embeddings';
import type { Logger, WorkBudget } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import { createTranslationVerses, type TranslationVerses } from './translation-verses';
import { readUnsharedVectors, unsharedVectorsFile } from './unshared-vectors';

/** The translations whose rows are kept in memory, with 0.4 MB each. */
const maxCachedTranslations = 32;

export interface PreparedTranslationsOptions {
  dataDir: string;
  files: SearchFiles;
  /** The vectors that all translations share. */
  shared: OpenVectors;
  sharedRows: SharedRows;
  /** The id of the embedder of verses. */
  embedder: string;
  /** Opens a file and finds its rows in turns of the event loop of their own: each takes up to 25 ms. */
  work: Pick<WorkBudget, 'runLarge'>;
  log: Logger;
}

/** Finds the vectors of the verses of translations. A translation is prepared when it is first needed. */
export function createPreparedTranslations(options: PreparedTranslationsOptions) {
  const prepared = new LRUCache<IndexedTranslation, Promise<TranslationVerses>>({ max: maxCachedTranslations });
  return {
    versesOf(entry: IndexedTranslation): Promise<TranslationVerses> {
      const verses = prepared.get(entry) ?? prepare(entry, options);
      prepared.set(entry, verses);
      verses.catch(() => prepared.delete(entry));
      return verses;
    },
    /** Forgets the prepared translations, because their data changed. Each is prepared again when it is next needed. */
    clear: (): void => prepared.clear(),
  };
}

export type PreparedTranslations = ReturnType<typeof createPreparedTranslations>;

/** Finds the verses of a translation. If the vectors of some verses cannot be read, only the other verses are found. */
async function prepare(entry: IndexedTranslation, options: PreparedTranslationsOptions): Promise<TranslationVerses> {
  const { files, shared, sharedRows, work, log } = options;
  const unshared = await readUnsharedOrError(entry.identifier, options);
  const ordinals = await work.runLarge(() => files.use(entry.identifier)?.index.ordinals ?? []);
  const verses = await work.runLarge(() =>
    createTranslationVerses({
      ordinals,
      numbering: entry.numbering,
      sharedRows,
      rowCount: shared.header.count,
      unshared: unshared && 'error' in unshared ? null : unshared,
    }),
  );
  if (unshared && 'error' in unshared && verses.rows.includes(-1))
    log.error(`${entry.identifier}: semantic search lacks some verses: ${unshared.error.message}`);
  return verses;
}

async function readUnsharedOrError(identifier: string, { dataDir, files, embedder }: PreparedTranslationsOptions) {
  const digest = textsDigest((each) => files.translationDigests().get(each), identifier);
  try {
    return await readUnsharedVectors(unsharedVectorsFile(dataDir, identifier), {
      embedder,
      translation: identifier,
      textsDigest: digest,
    });
  } catch (error) {
    if (!isChecksummedFileError(error)) throw error;
    return { error };
  }
}
