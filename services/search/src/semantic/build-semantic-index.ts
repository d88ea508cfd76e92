import { openCorpus } from '@lectern/corpus';
import { withFolderLock } from '@lectern/data-files';
import {
  buildLexicalOverlap,
  buildVectors,
  createEmbedder,
  lexicalOverlapFile,
  shippedVectors,
  vectorsFile,
} from '@lectern/embeddings';
import { readSettings } from '@lectern/serving';
import { parseTranslations, semanticSettings } from './semantic-settings';

export interface BuildSemanticIndexOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  /** Where the vectors and words of each edition go. */
  dataDir: string;
  /** Says for which editions, and how text becomes vectors: `semanticSettings`. */
  env: NodeJS.ProcessEnv;
  /** Called with one line at a time. */
  log: (line: string) => void;
  /** Stops it; the next call goes on from there. */
  signal?: AbortSignal;
}

/**
 * Makes the verse vectors and words of the editions that SEMANTIC_TRANSLATIONS names, where they are missing or not made from this corpus
 * by this model. Vectors that ship with Lectern are taken as far as they are of the same texts. Gives the number of verses it had to compute.
 */
export async function buildSemanticIndex({
  corpusFile,
  dataDir,
  env,
  log,
  signal,
}: BuildSemanticIndexOptions): Promise<number> {
  const config = readSettings(env, semanticSettings);
  const translations = parseTranslations(config.SEMANTIC_TRANSLATIONS);
  if (translations.length === 0) return 0;
  const corpus = openCorpus(corpusFile);
  try {
    const unknown = translations.find((translation) => !corpus.translation(translation));
    if (unknown !== undefined) {
      throw new Error(
        `SEMANTIC_TRANSLATIONS names ${unknown}, and the corpus has no such edition; it has ${corpus.translations.map(({ identifier }) => identifier).join(', ')}`,
      );
    }
    const embedder = await createEmbedder(config);
    try {
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
          if (await buildLexicalOverlap({ corpus, translation, file })) log(`${translation}: words in ${file}`);
        }
        return computed;
      });
    } finally {
      await embedder.close();
    }
  } finally {
    corpus.close();
  }
}
