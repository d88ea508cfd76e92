import { type BuildIndex, buildIndexes, digestModules, fetchOptionalModules } from '@lectern/corpus';
import type { FileCheck } from '@lectern/data-files';
import {
  readChecksummedFileManifest,
  withFolderLock,
  writeChecksummedFile,
  writeTranslationFile,
} from '@lectern/data-files';
import { toStudyEntry } from '../spans';
import type { ReferenceWorksManifest } from '../tables';
import { referenceWorksFile, referenceWorksKind, referenceWorksTables, studyFileKind } from '../tables';
import {
  digestInstalledModules,
  digestOperatorSource,
  moduleSources,
  readOperatorSources,
  sourceModules,
} from './sources';
import { writeSourceContents } from './write-sources';

interface WorksOptions {
  /**
   * The data folder. SWORD modules (books in the format of the SWORD project) are downloaded to its folder `sources`.
   */
  dataDir: string;
  /** SWORD_PATH names folders that may hold the modules. */
  env?: NodeJS.ProcessEnv;
  /** Further folders that may hold the modules. By default the folders of installed packages. */
  swordRoots?: readonly string[];
  /** Whether an existing file is checked by its size, by its header or by its whole contents. */
  check?: FileCheck;
}

export interface BuildStudyDataOptions extends WorksOptions {
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
  now?: () => Date;
}

/**
 * Builds reference-works.sqlite if it is damaged or a source has changed, and the study.sqlite of a
 * translation if it is damaged or made from another text. Resolves with false if it built nothing.
 */
export async function buildStudyData(options: BuildStudyDataOptions): Promise<boolean> {
  const { dataDir, check = 'contents', log } = options;
  const isWorksBuilt = await buildReferenceWorks(options);
  const built = await buildIndexes({ dataDir, kind: studyFileKind, check, jobs: 1, build: buildStudyFile, log });
  return isWorksBuilt || built.length > 0;
}

const buildStudyFile: BuildIndex = async ({ dataDir, corpus, identifier }) => {
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  await writeTranslationFile(dataDir, studyFileKind, identifier, () => ({
    identifier,
    textDigest: corpus.translationDigest(identifier) ?? '',
    entry: JSON.stringify(toStudyEntry(translation)),
    builtAt: formatTime(new Date()),
  }));
  return `study file of ${identifier}: ${translation.books.length} books`;
};

/** Formats a time in ISO 8601, in UTC, without fractions of a second. */
const formatTime = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;

/**
 * Whether reference-works.sqlite is intact and was made with the present rules from each source that
 * this machine has. The source of a module that was removed after the build stays in the file.
 */
export function isReferenceWorksUpToDate(options: WorksOptions): boolean {
  const { dataDir, env = process.env, swordRoots, check = 'contents' } = options;
  const manifest = readChecksummedFileManifest(referenceWorksFile(dataDir), referenceWorksKind, check);
  if (!manifest) return false;
  const known = JSON.parse(manifest.get('sources') ?? '{}') as Record<string, string>;
  const kept = Object.fromEntries(moduleSources.flatMap(({ id }) => (id in known ? [[id, known[id]]] : [])));
  const present = {
    ...kept,
    ...digestInstalledModules(known, { dataDir, env, swordRoots }),
    ...digestImported(dataDir),
  };
  const ids = Object.keys(present);
  return ids.length === Object.keys(known).length && ids.every((id) => present[id] === known[id]);
}

const digestImported = (dataDir: string): Record<string, string> =>
  Object.fromEntries(readOperatorSources(dataDir).map((source) => [source.id, digestOperatorSource(dataDir, source)]));

/** Returns one line for each reference of a reference work that names no existing verse. */
export function listUnresolvedReferences(dataDir: string): string[] {
  const manifest = readChecksummedFileManifest(referenceWorksFile(dataDir), referenceWorksKind);
  return JSON.parse(manifest?.get('unresolved') ?? '[]') as string[];
}

/**
 * Builds reference-works.sqlite. Fetches missing modules first. A reference work that is missing or damaged is left
 * out. Resolves with false if the file was up to date.
 */
async function buildReferenceWorks(options: BuildStudyDataOptions): Promise<boolean> {
  const { dataDir, log, env = process.env, swordRoots, now = () => new Date() } = options;
  // Checked before fetching: a machine without network access must not try to fetch missing modules at each start.
  if (isReferenceWorksUpToDate(options)) return false;
  const modules = await fetchOptionalModules(sourceModules(), { dataDir, env, swordRoots, log });
  return withFolderLock(dataDir, { log }, async () => {
    // Another process may have built the file while this process waited for the lock.
    if (isReferenceWorksUpToDate(options)) return false;
    const startedAt = performance.now();
    await writeChecksummedFile(referenceWorksFile(dataDir), referenceWorksKind, (db): ReferenceWorksManifest => {
      db.exec(referenceWorksTables);
      const unresolved = writeSourceContents(db, { modules, dataDir, log });
      if (unresolved.length > 0)
        log(
          `reference works: ${unresolved.length} of their references name no verse; \`npm run data -- --verbose\` lists them`,
        );
      return {
        sources: JSON.stringify({ ...digestModules(moduleSources, modules), ...digestImported(dataDir) }),
        unresolved: JSON.stringify(unresolved),
        missing: JSON.stringify(moduleSources.filter(({ module }) => !modules.has(module)).map(({ id }) => id)),
        builtAt: formatTime(now()),
      };
    });
    log(`reference works: built in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    return true;
  });
}
