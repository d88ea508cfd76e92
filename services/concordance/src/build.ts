import { join } from 'node:path';
import type { BuildIndex } from '@lectern/corpus';
import { buildIndexes, defaultJobs, staleIndexes } from '@lectern/corpus';
import type { FileCheck } from '@lectern/data-files';
import { writeTranslationFile } from '@lectern/data-files';
import { buildTranslationIndex } from './data/build';
import type { ConcordanceEntry } from './data/formats';
import { concordanceFileKind, concordanceTables } from './data/formats';
import { buildStrongsFile, hasAllDictionaries, isStrongsUpToDate } from './lexicon/file';

export interface BuildConcordanceIndexOptions {
  /** The data folder. Strong's dictionaries are fetched into its folder `sources`. */
  dataDir: string;
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
  /** The environment variables. SWORD_PATH names folders that may hold Strong's dictionaries. */
  env?: NodeJS.ProcessEnv;
  /**
   * Further folders that may hold Strong's dictionaries. By default the folders of installed
   * packages.
   */
  swordRoots?: readonly string[] | undefined;
  /**
   * The maximum number of translations that are built at the same time. The default is one for each
   * CPU core.
   */
  jobs?: number;
  /** Whether existing files are checked by size, header or whole contents (the default). */
  check?: FileCheck;
  now?: () => Date;
}

/**
 * Builds strongs.sqlite if the file is missing or damaged, or if a Strong's dictionary of this
 * machine is new or has changed. Builds the concordance.sqlite of a translation if the file is
 * missing, damaged or made from another text. Resolves with false if all files were up to date.
 *
 * Fetches missing dictionaries only before a build. A machine without network access therefore
 * builds without dictionaries, and does not try to fetch them at each start.
 */
export async function buildConcordanceIndex({
  dataDir,
  log,
  env = process.env,
  swordRoots,
  jobs = defaultJobs(),
  check = 'contents',
  now = () => new Date(),
}: BuildConcordanceIndexOptions): Promise<boolean> {
  const isStrongsBuilt =
    ((!hasAllDictionaries(dataDir) && staleIndexes(dataDir, concordanceFileKind, check).length > 0) ||
      !isStrongsUpToDate({ dataDir, env, swordRoots })) &&
    (await buildStrongsFile({ dataDir, log, env, swordRoots, now }));
  const built = await buildIndexes({
    dataDir,
    kind: concordanceFileKind,
    check,
    jobs,
    build: buildConcordanceFile,
    workerFile: join(__dirname, '..', 'dist', 'build-worker.js'),
    log,
  });
  return isStrongsBuilt || built.length > 0;
}

/** Builds the concordance.sqlite of one translation. */
export const buildConcordanceFile: BuildIndex = async ({ dataDir, corpus, identifier }) => {
  const startedAt = performance.now();
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  let counts = { words: 0, stems: 0 };
  await writeTranslationFile(dataDir, concordanceFileKind, identifier, (db) => {
    db.exec(concordanceTables);
    const { strongsNumbers, ...built } = buildTranslationIndex(db, corpus, translation);
    counts = built;
    const entry: ConcordanceEntry = {
      identifier,
      language: translation.language,
      books: translation.books.map(({ code, name }) => [code, name]),
      builtAt: `${new Date().toISOString().slice(0, 19)}Z`,
      strongsNumbers,
    };
    return {
      identifier,
      textDigest: corpus.translationDigest(identifier) ?? '',
      entry: JSON.stringify(entry),
      builtAt: entry.builtAt,
    };
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `concordance of ${identifier}: ${counts.words} words under ${counts.stems} stems in ${seconds} s`;
};
