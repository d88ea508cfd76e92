import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { digestModules, fetchOptionalModules, findModules } from '@lectern/corpus';
import { nullIfUnusable } from '@lectern/data-files';
import type { Embedder } from '@lectern/embeddings';
import { buildPhrases, phrasesFile, readPhrasesHeader, shippedPhrases } from '@lectern/embeddings';
import {
  commentaryWorks,
  createVersesAndParser,
  listOtherTopicNames,
  listTopicPhrases,
  readOutlines,
  readTopics,
  topicalBible,
  type VersesAndParser,
} from '@lectern/reference-works';

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
export const phraseSources: Readonly<Record<'topics' | 'outlines', PhraseSource>> = {
  topics: {
    ...topicalBible,
    read: readTopicLists,
  },
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

export interface BuildTopicPhrasesOptions extends FetchOptions {
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
