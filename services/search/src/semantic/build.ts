import { existsSync, readdirSync, rmdirSync, rmSync, utimesSync } from 'node:fs';
import { verseOrdinal } from '@lectern/canon';
import { type Corpus, type FetchOptions, openCorpus, type Translation, textKind } from '@lectern/corpus';
import {
  catalogueFile,
  readCatalogueKeys,
  translationFolder,
  translationFolders,
  withFolderLock,
} from '@lectern/data-files';
import {
  areVectorsUpToDate,
  buildVectors,
  createEmbedder,
  type Embedder,
  openVectors,
  secondTranslation,
} from '@lectern/embeddings';
import { readSettings } from '@lectern/serving';
import { searchFileKind } from '../store';
import { phrasesFile } from './phrases-file';
import { isSelected, parseTranslations, semanticSettings } from './semantic-index';
import {
  areSharedVectorsShipped,
  createSharedRows,
  type SharedRows,
  sharedTranslation,
  sharedVectorsFile,
} from './shared-rows';
import { areTopicPhrasesUpToDate, buildTopicPhrases, fetchPhraseModules } from './topic-phrases';
import { unsharedVectorsFile } from './verse-vectors';

/** `env` has the settings of `semanticSettings`. */
export interface BuildSemanticFilesOptions extends FetchOptions {
  /** Stops the build. The next call continues after the last checkpoint of the verse vectors. */
  signal?: AbortSignal;
}

interface BuildParts extends BuildSemanticFilesOptions {
  corpus: Corpus;
  embedder: Embedder;
  translations: readonly Translation[];
  present: ReadonlySet<string>;
}

/**
 * Builds the outdated files for the translations in SEMANTIC_TRANSLATIONS: shared verse vectors, unless the shipped
 * file fits the model; vectors of verses that these lack; and phrases of topics. Deletes the vectors of removed
 * translations. Resolves with the number of vectors that the model computed.
 */
export async function buildSemanticFiles(options: BuildSemanticFilesOptions): Promise<number> {
  const { dataDir, log } = options;
  const computed = await withBuildParts(options, async (parts) => {
    const { phrases, sharedVectors, toBuild, toRemove } = await findStaleFiles(parts);
    // Returns before it takes the lock: the lock needs a writable folder, but a complete folder may be read-only.
    if (phrases === null && sharedVectors === null && toBuild.length === 0 && toRemove.length === 0) return 0;
    const modules = phrases === null ? null : await fetchPhraseModules(parts);
    return withFolderLock(dataDir, { log }, async () => {
      const vectors = (await buildAllVectors(parts)) + (modules ? await buildTopicPhrases(modules, parts) : 0);
      touchCatalogue(dataDir);
      return vectors;
    });
  });
  return computed ?? 0;
}

/** Finds the files that a build would write or delete. Resolves with null if SEMANTIC_TRANSLATIONS is empty. */
export const findStaleSemanticFiles = (options: FetchOptions) => withBuildParts(options, findStaleFiles);

/** Resolves with null if SEMANTIC_TRANSLATIONS is empty. Rejects if it names an unknown translation. */
export async function withBuildParts<Result>(
  options: BuildSemanticFilesOptions,
  use: (parts: BuildParts) => Promise<Result>,
): Promise<Result | null> {
  const { dataDir, env } = options;
  const config = readSettings(env, semanticSettings);
  const list = parseTranslations(config.SEMANTIC_TRANSLATIONS);
  if (list.length === 0) return null;
  const present = new Set(readCatalogueKeys(dataDir, textKind, 'contents').map(({ identifier }) => identifier));
  const unknown = list.find((identifier) => identifier !== '*' && !present.has(identifier));
  if (unknown !== undefined)
    throw new Error(
      `SEMANTIC_TRANSLATIONS names ${unknown}, which the corpus does not have; it has ${[...present].join(', ')}; \`npm run data\` adds the default translations`,
    );
  // The shared vectors are made from the text of `sharedTranslation`, and every vector also from `secondTranslation`.
  const only = list.includes('*') ? undefined : [...list, sharedTranslation, secondTranslation];
  const corpus = openCorpus(dataDir, { only });
  try {
    const embedder = await createEmbedder(config);
    const translations = corpus.translations.filter(({ identifier }) => isSelected(list, identifier));
    try {
      return await use({ ...options, corpus, embedder, translations, present });
    } finally {
      await embedder.close();
    }
  } finally {
    corpus.close();
  }
}

/** Finds the files of semantic search that a build would write or delete. */
async function findStaleFiles(parts: BuildParts) {
  const { corpus, embedder, dataDir } = parts;
  const file = sharedVectorsFile(dataDir, embedder.passageId);
  const areSharedVectorsUpToDate =
    areSharedVectorsShipped(embedder.passageId) ||
    (await areVectorsUpToDate({ corpus, embedder, translation: sharedTranslation, file }));
  return {
    /** The path of the file of phrases if it must be built, or null. */
    phrases: (await areTopicPhrasesUpToDate(parts)) ? null : phrasesFile(dataDir),
    /** The path of the shared verse vectors if they must be built, or null. */
    sharedVectors: areSharedVectorsUpToDate ? null : file,
    toBuild: (await staleTranslations(parts)).map(({ identifier }) => identifier),
    toRemove: removedTranslations(parts),
  };
}

async function staleTranslations({ corpus, embedder, dataDir, translations }: BuildParts): Promise<Translation[]> {
  const stale: Translation[] = [];
  for (const translation of translations) {
    const { identifier } = translation;
    const file = unsharedVectorsFile(dataDir, identifier);
    if (!(await areVectorsUpToDate({ corpus, embedder, translation: identifier, file }))) stale.push(translation);
  }
  return stale;
}

const removedTranslations = ({ present, dataDir }: BuildParts): string[] =>
  translationFolders(dataDir).filter(
    (identifier) => !present.has(identifier) && existsSync(unsharedVectorsFile(dataDir, identifier)),
  );

/** Builds the vectors that are missing or outdated. Resolves with the number of vectors that the model computed. */
async function buildAllVectors(parts: BuildParts): Promise<number> {
  const { corpus, embedder, dataDir, log, signal } = parts;
  const common = { corpus, embedder, log, ...(signal && { signal }) };
  const file = sharedVectorsFile(dataDir, embedder.passageId);
  for (const identifier of removedTranslations(parts)) {
    rmSync(unsharedVectorsFile(dataDir, identifier));
    const folder = translationFolder(dataDir, identifier);
    if (readdirSync(folder).length === 0) rmdirSync(folder);
  }
  let computed = 0;
  if (!areSharedVectorsShipped(embedder.passageId)) {
    if (!corpus.translation(sharedTranslation))
      throw new Error(`the vectors of this model are made from ${sharedTranslation}, which the corpus does not have`);
    computed += (await buildVectors({ ...common, translation: sharedTranslation, file })).computed;
  }
  const shared = await openVectors(file, { embedder: embedder.passageId });
  try {
    const sharedRows = createSharedRows(shared);
    for (const translation of await staleTranslations(parts)) {
      const { identifier } = translation;
      const unshared = unsharedVectorsFile(dataDir, identifier);
      const only = versesWithoutRow(translation, sharedRows);
      computed += (await buildVectors({ ...common, translation: identifier, file: unshared, only })).computed;
    }
  } finally {
    await shared.close();
  }
  return computed;
}

/** Returns the verses of a translation as ordinals, in the order of its books. */
export const ordinalsOf = ({ books }: Translation): number[] =>
  books.flatMap(({ code, chapters }) =>
    chapters.flatMap((verses, index) => verses.map((verse) => verseOrdinal({ book: code, chapter: index + 1, verse }))),
  );

const versesWithoutRow = (translation: Translation, sharedRows: SharedRows): ReadonlySet<number> =>
  new Set(ordinalsOf(translation).filter((ordinal) => sharedRows.rowOf(ordinal, translation.numbering) === null));

/** Touches the catalogue, so that a running service reads it again and opens the new files. */
function touchCatalogue(dataDir: string): void {
  const file = catalogueFile(dataDir, searchFileKind);
  const now = new Date();
  if (existsSync(file)) utimesSync(file, now, now);
}
