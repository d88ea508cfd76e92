import { dirname } from 'node:path';
import { fetchOptionalModules, openCorpus, type Translation } from '@lectern/corpus';
import { readChecksummedFileManifest, withFolderLock, writeChecksummedFile } from '@lectern/data-files';
import type { Database } from 'better-sqlite3';
import { type StudyManifest, studyFileKind, studyTables } from '../study-schema';
import { encodeBooks } from '../study-translation';
import { digestOperatorSource, readOperatorSources } from './operator-sources';
import { digestInstalledModules, digestModules, moduleSources, sourceModules } from './study-sources';
import { type SourceParts, writeSources } from './write-sources';

export interface BuildStudyFileOptions {
  /** The path of corpus.sqlite, whose translations are listed in the study file. */
  corpusFile: string;
  /** The path of study.sqlite. Modules are fetched into the folder `sources` beside it. */
  studyFile: string;
  /** Called with one line at a time: progress, warnings, and references that do not resolve. */
  log: (line: string) => void;
  /** SWORD_PATH names folders that may hold the modules. */
  env?: NodeJS.ProcessEnv;
  /** Further folders that may hold the modules. By default those where the system installs modules. */
  swordRoots?: readonly string[];
  now?: () => Date;
}

/**
 * Builds study.sqlite from the reference works, and replaces the old file. Resolves with false, and changes nothing, if
 * the file is up to date: intact, with the translations of the corpus, and made from each source that this machine has.
 *
 * A reference work that is missing or damaged is left out. Missing modules are fetched before a build only, so that a
 * machine without network access builds without them and does not try again at each start.
 */
export async function buildStudyFile({
  corpusFile,
  studyFile,
  log,
  env = process.env,
  swordRoots,
  now = () => new Date(),
}: BuildStudyFileOptions): Promise<boolean> {
  const dataDir = dirname(studyFile);
  const { digest: corpusDigest, translations } = readTranslations(corpusFile);
  const operatorDigests = () =>
    Object.fromEntries(readOperatorSources(dataDir).map((each) => [each.id, digestOperatorSource(dataDir, each)]));
  const isUpToDate = (): boolean => {
    const manifest = readChecksummedFileManifest(studyFile, studyFileKind);
    if (manifest?.get('corpusDigest') !== corpusDigest) return false;
    const known = JSON.parse(manifest.get('sources') ?? '{}') as Record<string, string>;
    const isModule = (id: string): boolean => moduleSources.some((source) => source.id === id);
    const installed = digestInstalledModules(known, { dataDir, env, swordRoots });
    // A module that was removed since stays in the file.
    const kept = Object.fromEntries(Object.entries(known).filter(([id]) => isModule(id)));
    return isSameRecord({ ...kept, ...installed, ...operatorDigests() }, known);
  };
  if (isUpToDate()) return false;
  const modules = await fetchOptionalModules(sourceModules(), { dataDir, env, swordRoots, log });
  return await withFolderLock(dataDir, { log }, async () => {
    // Another process may have built the file while this process waited for the lock.
    if (isUpToDate()) return false;
    await writeChecksummedFile(studyFile, studyFileKind, (db): StudyManifest => {
      writeTables(db, { translations, modules, dataDir, log });
      return {
        corpusDigest,
        sources: JSON.stringify({ ...digestModules(modules), ...operatorDigests() }),
        missing: JSON.stringify(moduleSources.filter(({ module }) => !modules.has(module)).map(({ id }) => id)),
        builtAt: `${now().toISOString().slice(0, 19)}Z`,
      };
    });
    return true;
  });
}

function readTranslations(corpusFile: string): { digest: string; translations: readonly Translation[] } {
  const corpus = openCorpus(corpusFile);
  try {
    return { digest: corpus.manifest.digest, translations: corpus.translations };
  } finally {
    corpus.close();
  }
}

const isSameRecord = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => a[key] === b[key]);

interface TableParts extends SourceParts {
  readonly translations: readonly Translation[];
}

function writeTables(db: Database, parts: TableParts): void {
  const startedAt = performance.now();
  db.exec(studyTables);
  const insert = db.prepare('INSERT INTO translation (identifier, language, numbering, books) VALUES (?, ?, ?, ?)');
  for (const translation of parts.translations)
    insert.run(translation.identifier, translation.language, translation.numbering, encodeBooks(translation));
  writeSources(db, parts);
  parts.log(`study file: made in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
}
