import { statSync } from 'node:fs';
import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { digestModules, fetchOptionalModules, findModules } from '@lectern/corpus';
import { fileIdentity, isChecksummedFileError, nullIfUnusable } from '@lectern/data-files';
import type { AddPhraseBonus, Embedder, OpenPhrases, TopicMatch } from '@lectern/embeddings';
import { buildPhrases, openPhrases, phrasesFile, readPhrasesHeader, shippedPhrases } from '@lectern/embeddings';
import type { VersesAndParser } from '@lectern/reference-works';
import {
  commentaryWorks,
  createVersesAndParser,
  listOtherTopicNames,
  listTopicPhrases,
  readOutlines,
  readTopics,
  topicalBible,
} from '@lectern/reference-works';
import type { Logger } from '@lectern/serving';

/**
 * A reference work with phrases, such as the headings of a topic, each with the verses that it
 * names. If a phrase is near to a query in meaning, search by meaning ranks its verses higher.
 */
interface PhraseSource {
  readonly id: string;
  readonly title: string;
  readonly module: string;
  readonly debianPackage: string;
  /** Returns the digest of the module's data files, and of the rules for reading them. */
  readonly digest: (conf: string) => string;
  readonly read: (conf: string, versesAndParser: VersesAndParser) => Partial<PhraseLists>;
}

type PhraseLists = Parameters<typeof buildPhrases>[0]['lists'];

const outlineWork = commentaryWorks.find(({ id }) => id === 'henry');
if (!outlineWork) throw new Error('the commentaries lack henry');

/**
 * The sources of phrases: the topics of a topical Bible, and the titles in a commentary's outlines.
 */
const phraseSources: Readonly<Record<'topics' | 'outlines', PhraseSource>> = {
  topics: { ...topicalBible, read: readTopicLists },
  outlines: {
    ...outlineWork,
    read: (conf, versesAndParser) => ({
      outlines: readOutlines(conf, versesAndParser).map(({ title, span }) => ({
        text: title,
        label: null,
        references: [versesAndParser.verses.within(span)],
      })),
    }),
  },
};

function readTopicLists(conf: string, versesAndParser: VersesAndParser): Pick<PhraseLists, 'topics' | 'otherNames'> {
  const { topics } = readTopics(conf, versesAndParser);
  const phrases = listTopicPhrases(topics, versesAndParser.verses);
  return {
    topics: phrases.map(({ text, topic, references }) => ({
      text,
      label: topic,
      references: references.map(versesAndParser.verses.within),
    })),
    otherNames: listOtherTopicNames(topics, phrases).map(({ text, topic }) => ({ text, label: topic, references: [] })),
  };
}

const sources = Object.values(phraseSources);

/**
 * The SWORD modules of the sources (books packaged by the SWORD project). A module whose data files
 * cannot be read is left out.
 */
const sourceModules = sources.map(
  ({ module, debianPackage, digest }): SourceModule => ({
    module,
    debianPackage,
    check(conf) {
      try {
        digest(conf);
        return null;
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
  }),
);

interface BuildTopicPhrasesOptions extends FetchOptions {
  embedder: Pick<Embedder, 'id' | 'dimensions' | 'embedQueries'>;
  signal?: AbortSignal;
}

/**
 * Resolves with true if the file of phrases is intact, and was made with this model and the present
 * rules from the present version of each source that this machine has. Fetches nothing. If the
 * module of a source was removed after the build, its phrases stay in the file, and the file is
 * still up to date.
 */
export async function areTopicPhrasesUpToDate(options: BuildTopicPhrasesOptions): Promise<boolean> {
  const { found } = findModules(sourceModules, { ...options, log: () => undefined });
  const file = phrasesFile(options.dataDir);
  const header = await readPhrasesHeader(file, { embedder: options.embedder.id }).catch(nullIfUnusable);
  if (header === null) return false;
  return Object.entries(digestModules(sources, found)).every(([id, digest]) => header.sources[id] === digest);
}

/** Finds or fetches the modules of the sources. Leaves out a missing module, and logs a warning. */
export const fetchPhraseModules = (options: FetchOptions): Promise<ModuleSources> =>
  fetchOptionalModules(sourceModules, options);

/** Writes the file of phrases. Resolves with the number of phrases that the model embedded. */
export async function buildTopicPhrases(
  modules: ModuleSources,
  { dataDir, embedder, log, signal }: BuildTopicPhrasesOptions,
): Promise<number> {
  const versesAndParser = createVersesAndParser();
  const read = ({ module, read: readLists }: PhraseSource): Partial<PhraseLists> => {
    const conf = modules.get(module);
    return conf === undefined ? {} : readLists(conf, versesAndParser);
  };
  return buildPhrases({
    lists: { topics: [], otherNames: [], outlines: [], ...read(phraseSources.topics), ...read(phraseSources.outlines) },
    sources: digestModules(sources, modules),
    embedder,
    file: phrasesFile(dataDir),
    shipped: shippedPhrases(),
    log,
    ...(signal && { signal }),
  });
}

interface TopicPhrasesOptions {
  /** The data folder, in which `buildSemanticFiles` has built the file of phrases. */
  dataDir: string;
  embedder: Pick<Embedder, 'id'>;
  /**
   * Returns the row of a verse in the vectors that all translations share. The verse is an ordinal
   * in the standard numbering: 43003016 is JHN 3:16.
   */
  rowOf: (ordinal: number) => number | null;
  /**
   * How long a query may wait for its vector, in milliseconds. After a replacement, the old file of
   * phrases stays open for twice this time, for queries in flight.
   */
  timeoutMs: number;
  log: Logger;
}

/**
 * The phrases of topics and outlines, each with its vector and the verses that it names. If a
 * phrase is near to a query, its verses get a bonus in the search by meaning. If the file of
 * phrases is missing or cannot be used, the search works without this bonus. `refresh` opens the
 * file, and opens it again after it was replaced.
 */
export function openTopicPhrases({ dataDir, embedder, rowOf, timeoutMs, log }: TopicPhrasesOptions) {
  const file = phrasesFile(dataDir);
  let opened: { phrases: OpenPhrases; addPhraseBonus: AddPhraseBonus } | null = null;
  let openedIdentity = 'none';

  const open = async (): Promise<typeof opened> => {
    try {
      const phrases = await openPhrases(file, { embedder: embedder.id });
      return { phrases, addPhraseBonus: phrases.createAddPhraseBonus(rowOf) };
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      log.warn(`semantic search works without topics: ${error.message}`);
      return null;
    }
  };
  const isMissing = (id: string): boolean => opened?.phrases.sources[id] === undefined;

  return {
    async refresh(): Promise<void> {
      const identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
      if (identity === openedIdentity) return;
      openedIdentity = identity;
      const before = opened;
      opened = await open();
      // Closes the old file later, because queries in flight still use it.
      if (before) setTimeout(() => void before.phrases.close(), 2 * timeoutMs).unref();
      for (const { title, debianPackage } of opened ? sources.filter(({ id }) => isMissing(id)) : [])
        log.warn(`semantic search works without ${title}: install ${debianPackage} and run \`npm run data\``);
    },

    /** Returns the titles of the reference works whose phrases are missing. */
    missingWorks: (): string[] => sources.filter(({ id }) => isMissing(id)).map(({ title }) => title),

    hasTopics: (): boolean => !isMissing(phraseSources.topics.id),

    /**
     * Resolves with the bonus `lexical` plus a bonus for the verses that are named by the phrases
     * nearest to the query in meaning.
     */
    addPhraseBonus: (async (vector, lexical) =>
      opened ? opened.addPhraseBonus(vector, lexical) : lexical) satisfies AddPhraseBonus,

    /** Resolves with the topics nearest to a query, best first. */
    nearestTopics: async (vector: Float32Array, limit: number): Promise<TopicMatch[]> =>
      (await opened?.phrases.nearestTopics(vector, limit)) ?? [],

    close: async (): Promise<void> => opened?.phrases.close(),
  };
}
