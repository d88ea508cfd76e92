import { existsSync, utimesSync } from 'node:fs';
import type { Corpus } from '@lectern/corpus';
import { openCorpus } from '@lectern/corpus';
import { catalogueFile, withFolderLock } from '@lectern/data-files';
import type { Embedder } from '@lectern/embeddings';
import {
  areVectorsUpToDate,
  buildLexicalOverlap,
  buildVectors,
  createEmbedder,
  isLexicalOverlapUpToDate,
  lexicalOverlapFile,
  shippedVectors,
  vectorsFile,
} from '@lectern/embeddings';
import { readSettings } from '@lectern/serving';
import { searchFileKind } from '../search-file';
import { parseTranslations, semanticSettings } from './semantic-settings';

export interface BuildSemanticIndexOptions {
  /** The data folder: the texts, the vectors and the lexical overlap of each translation. */
  dataDir: string;
  /** The environment with the settings of `semanticSettings`. */
  env: NodeJS.ProcessEnv;
  /** Called with one line at a time. */
  log: (line: string) => void;
  /** Aborts the build. The next call continues after the last computed vector. */
  signal?: AbortSignal;
}

/**
 * Builds the verse vectors and the lexical overlap of the translations in SEMANTIC_TRANSLATIONS.
 * Files that this model made from these texts stay.
 * Vectors that ship with Lectern are used for equal texts.
 * Resolves with the number of vectors that the model computed.
 */
export async function buildSemanticIndex({ dataDir, env, log, signal }: BuildSemanticIndexOptions): Promise<number> {
  const config = readSettings(env, semanticSettings);
  const translations = parseTranslations(config.SEMANTIC_TRANSLATIONS);
  if (translations.length === 0) return 0;
  const corpus = openCorpus(dataDir);
  try {
    const unknown = translations.find((translation) => !corpus.translation(translation));
    if (unknown !== undefined) {
      throw new Error(
        `SEMANTIC_TRANSLATIONS names ${unknown}, which the corpus does not have; it has ${corpus.translations.map(({ identifier }) => identifier).join(', ')}`,
      );
    }
    const embedder = await createEmbedder(config);
    try {
      // The lock needs a writable folder, which files that are up to date do not need.
      if (await isUpToDate({ corpus, translations, embedder, dataDir })) return 0;
      return await withFolderLock(dataDir, { log }, async () => {
        let computed = 0;
        for (const translation of translations) {
          const built = await buildVectors({
            corpus,
            translation,
            embedder,
            log,
            file: vectorsFile(dataDir, translation),
            shipped: shippedVectors(translation),
            ...(signal && { signal }),
          });
          computed += built.computed;
          const file = lexicalOverlapFile(dataDir, translation);
          if (await buildLexicalOverlap({ corpus, translation, file }))
            log(`${translation}: lexical overlap in ${file}`);
        }
        touchCatalogue(dataDir);
        return computed;
      });
    } finally {
      await embedder.close();
    }
  } finally {
    corpus.close();
  }
}

async function isUpToDate({
  corpus,
  translations,
  embedder,
  dataDir,
}: {
  corpus: Corpus;
  translations: readonly string[];
  embedder: Embedder;
  dataDir: string;
}): Promise<boolean> {
  for (const translation of translations) {
    const built = { corpus, translation };
    if (!(await areVectorsUpToDate({ ...built, embedder, file: vectorsFile(dataDir, translation) }))) return false;
    if (!(await isLexicalOverlapUpToDate({ ...built, file: lexicalOverlapFile(dataDir, translation) }))) return false;
  }
  return true;
}

/** Makes running services look at their catalogue again, and so at the vectors. */
function touchCatalogue(dataDir: string): void {
  const file = catalogueFile(dataDir, searchFileKind);
  const now = new Date();
  if (existsSync(file)) utimesSync(file, now, now);
}
