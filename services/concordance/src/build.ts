import { join } from 'node:path';
import { type BuildIndex, buildIndexes, defaultJobs, type FetchOptions, staleIndexes } from '@lectern/corpus';
import { type FileCheck, formatBuildTime, secondsSince, writeTranslationFile } from '@lectern/data-files';
import { buildTranslationIndex } from './data/build';
import { type ConcordanceEntry, concordanceFileKind, concordanceTables } from './data/files';
import { buildStrongsFile, hasAllDictionaries, isStrongsUpToDate } from './lexicon/dictionaries';

/** The options of the build. `swordRoots` are further folders that may contain Strong's dictionaries. */
export interface BuildConcordanceIndexOptions extends Omit<FetchOptions, 'env'> {
  env?: NodeJS.ProcessEnv;
  /** The maximum number of translations that are built at the same time. Default: one for each core. */
  jobs?: number;
  /** How existing files are checked. By default their whole contents are read. */
  check?: FileCheck;
  now?: () => Date;
}

/**
 * Builds strongs.sqlite if it is missing or damaged, or if a Strong's dictionary on this machine is new or has changed.
 * Builds a concordance.sqlite if it is missing, damaged or made from another text. Resolves with false if no file had
 * to be built. Downloads missing dictionaries only if something has to be built. So a machine without network access
 * builds without them, and does not try at each start.
 */
export async function buildConcordanceIndex({
  jobs = defaultJobs(),
  check = 'contents',
  env = process.env,
  now = () => new Date(),
  ...options
}: BuildConcordanceIndexOptions): Promise<boolean> {
  const { dataDir, log } = options;
  const fetchOptions = { ...options, env };
  const isStrongsBuilt =
    ((!hasAllDictionaries(dataDir) && staleIndexes(dataDir, concordanceFileKind, check).length > 0) ||
      !isStrongsUpToDate(fetchOptions)) &&
    (await buildStrongsFile({ ...fetchOptions, now }));
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

export const buildConcordanceFile: BuildIndex = async ({ dataDir, corpus, translation, textDigest }) => {
  const startedAt = performance.now();
  const { identifier } = translation;
  let counts = { words: 0, stems: 0 };
  await writeTranslationFile(dataDir, concordanceFileKind, identifier, (db) => {
    db.exec(concordanceTables);
    const { strongsNumbers, ...built } = buildTranslationIndex(db, corpus, translation);
    counts = built;
    const builtAt = formatBuildTime(new Date());
    const entry: ConcordanceEntry = {
      identifier,
      language: translation.language,
      ...(translation.restricted && { restricted: true }),
      books: translation.books.map(({ code, name }) => [code, name]),
      builtAt,
      strongsNumbers,
    };
    return { identifier, textDigest, entry: JSON.stringify(entry), builtAt };
  });
  return `concordance of ${identifier}: ${counts.words} words under ${counts.stems} stems in ${secondsSince(startedAt)} s`;
};
