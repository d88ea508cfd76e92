import { type BuildIndex, buildIndexes } from '@lectern/corpus';
import { type FileCheck, writeTranslationFile } from '@lectern/data-files';
import { studyFileKind } from '../study-sqlite-tables-and-versions';
import { toStudyEntry } from '../translation-catalogue-entry';
import { type BuildReferenceWorksOptions, buildReferenceWorks } from './build-reference-works';

export interface BuildStudyDataOptions extends Omit<BuildReferenceWorksOptions, 'env' | 'check' | 'now'> {
  /**
   * The environment variables. SWORD_PATH names folders that may hold SWORD modules (books packaged
   * by the SWORD project).
   */
  env?: NodeJS.ProcessEnv;
  /** Whether existing files are checked by size, header or whole contents (the default). */
  check?: FileCheck;
  now?: () => Date;
}

/**
 * Builds reference-works.sqlite if the file is missing or damaged, or if a source is new or has
 * changed. Builds the study.sqlite of a translation if the file is missing, damaged or made from
 * another text. Resolves with false if everything was up to date.
 */
export async function buildStudyData({
  dataDir,
  log,
  env = process.env,
  swordRoots,
  check = 'contents',
  now = () => new Date(),
}: BuildStudyDataOptions): Promise<boolean> {
  const options = { dataDir, log, env, swordRoots, check, now };
  const isWorksBuilt = await buildReferenceWorks(options);
  const built = await buildIndexes({ dataDir, kind: studyFileKind, check, jobs: 1, build: buildStudyFile, log });
  return isWorksBuilt || built.length > 0;
}

/** Builds the study.sqlite of one translation. */
const buildStudyFile: BuildIndex = async ({ dataDir, corpus, identifier }) => {
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  await writeTranslationFile(dataDir, studyFileKind, identifier, () => ({
    identifier,
    textDigest: corpus.translationDigest(identifier) ?? '',
    entry: JSON.stringify(toStudyEntry(translation)),
    builtAt: `${new Date().toISOString().slice(0, 19)}Z`,
  }));
  return `study file of ${identifier}: ${translation.books.length} books`;
};
