import { type BuildIndex, buildIndexes, digestModules, type FetchOptions, fetchOptionalModules } from '@lectern/corpus';
import {
  type FileCheck,
  formatBuildTime,
  readChecksummedFileManifest,
  secondsSince,
  withFolderLock,
  writeChecksummedFile,
  writeTranslationFile,
} from '@lectern/data-files';
import { toStudyEntry } from '../spans';
import {
  type ReferenceWorksManifest,
  referenceWorksFile,
  referenceWorksKind,
  referenceWorksTables,
  studyFileKind,
} from '../tables';
import {
  computedSource,
  digestComputed,
  digestInstalledModules,
  digestOperatorSource,
  moduleSources,
  readOperatorSources,
  sourceModules,
} from './sources';
import { writeSourceContents } from './write-sources';

interface WorksOptions extends Omit<FetchOptions, 'env' | 'log'> {
  env?: NodeJS.ProcessEnv;
  /** How an existing file is checked. */
  check?: FileCheck;
}

export interface BuildStudyDataOptions extends WorksOptions, Pick<FetchOptions, 'log'> {
  now?: () => Date;
}

/** Builds files that are damaged, or made from another text or source. Resolves with false if none had to be built. */
export async function buildStudyData(options: BuildStudyDataOptions): Promise<boolean> {
  const { dataDir, check = 'contents', log } = options;
  const isWorksBuilt = await buildReferenceWorks(options);
  const built = await buildIndexes({ dataDir, kind: studyFileKind, check, jobs: 1, build: buildStudyFile, log });
  return isWorksBuilt || built.length > 0;
}

const buildStudyFile: BuildIndex = async ({ dataDir, translation, textDigest }) => {
  const { identifier, books } = translation;
  await writeTranslationFile(dataDir, studyFileKind, identifier, () => ({
    identifier,
    textDigest,
    entry: JSON.stringify(toStudyEntry(translation)),
    builtAt: formatBuildTime(new Date()),
  }));
  return `study file of ${identifier} (books: ${books.length})`;
};

/** Returns whether reference-works.sqlite is intact and fits the rules and sources. Removed modules stay in it. */
export function isReferenceWorksUpToDate(options: WorksOptions): boolean {
  const { dataDir, env = process.env, swordRoots, check = 'contents' } = options;
  const manifest = readChecksummedFileManifest(referenceWorksFile(dataDir), referenceWorksKind, check);
  if (!manifest) return false;
  const known = JSON.parse(manifest.get('sources') ?? '{}') as Record<string, string>;
  const kept = Object.fromEntries(moduleSources.flatMap(({ id }) => (id in known ? [[id, known[id]]] : [])));
  const present = {
    ...kept,
    ...digestInstalledModules(known, { dataDir, env, swordRoots }),
    ...digestFiles(dataDir),
  };
  const ids = Object.keys(present);
  return ids.length === Object.keys(known).length && ids.every((id) => present[id] === known[id]);
}

const digestFiles = (dataDir: string): Record<string, string> => ({
  [computedSource.id]: digestComputed(),
  ...Object.fromEntries(
    readOperatorSources(dataDir).map((source) => [source.id, digestOperatorSource(dataDir, source)]),
  ),
});

/** Returns one line for each reference in a reference work to verses that do not exist. */
export function listUnresolvedReferences(dataDir: string): string[] {
  const manifest = readChecksummedFileManifest(referenceWorksFile(dataDir), referenceWorksKind);
  return JSON.parse(manifest?.get('unresolved') ?? '[]') as string[];
}

/** Downloads missing modules. Leaves out missing or damaged works. Resolves with false if nothing was built. */
async function buildReferenceWorks(options: BuildStudyDataOptions): Promise<boolean> {
  const { dataDir, log, env = process.env, swordRoots, now = () => new Date() } = options;
  // Checked before the download: a machine without network access must not try the download at each start.
  if (isReferenceWorksUpToDate(options)) return false;
  const modules = await fetchOptionalModules(sourceModules(), { dataDir, env, swordRoots, log });
  return withFolderLock(dataDir, { log }, async () => {
    // Checked again, because another process may have built the file while this process waited for the lock.
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
        sources: JSON.stringify({ ...digestModules(moduleSources, modules), ...digestFiles(dataDir) }),
        unresolved: JSON.stringify(unresolved),
        missing: JSON.stringify(moduleSources.filter(({ module }) => !modules.has(module)).map(({ id }) => id)),
        builtAt: formatBuildTime(now()),
      };
    });
    log(`reference works: built in ${secondsSince(startedAt)} s`);
    return true;
  });
}
