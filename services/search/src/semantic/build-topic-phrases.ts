import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { digestDictionary, fetchOptionalModules, findModules, openCommentary } from '@lectern/corpus';
import { isChecksummedFileError } from '@lectern/data-files';
import type { Embedder, Phrase } from '@lectern/embeddings';
import { buildPhrases, phrasesFile, readPhrasesHeader, shippedPhrases } from '@lectern/embeddings';
import {
  commentaryWorks,
  createReadingTools,
  listTopicPhrases,
  type ReadingTools,
  readOutlines,
  readTopics,
  topicalBible,
} from '@lectern/reference-works';

/** A reference work whose phrases are evidence for search by meaning. */
interface PhraseSource {
  readonly id: string;
  readonly title: string;
  readonly source: SourceModule;
  readonly digest: (conf: string) => string;
  readonly read: (conf: string, tools: ReadingTools) => Phrase[];
}

const outlineWork = commentaryWorks.find(({ id }) => id === 'henry');
if (!outlineWork) throw new Error('the commentaries lack henry');

/** The sources of phrases: topics, and the titles in the outlines of chapters. */
export const phraseSources: Readonly<Record<'topics' | 'outlines', PhraseSource>> = {
  topics: {
    id: topicalBible.id,
    title: topicalBible.title,
    source: topicalBible,
    digest: digestDictionary,
    read: (conf, tools) =>
      listTopicPhrases(readTopics(conf, tools).topics, tools.verses).map(({ text, topic, references }) => ({
        text,
        label: topic,
        references: references.map(tools.verses.within),
      })),
  },
  outlines: {
    id: outlineWork.id,
    title: outlineWork.title,
    source: outlineWork,
    digest: (conf) => openCommentary(conf).digest,
    read: (conf, tools) =>
      readOutlines(conf, tools).map(({ title, span }) => ({
        text: title,
        label: null,
        references: [tools.verses.within(span)],
      })),
  },
};

const sources = Object.values(phraseSources);

/** The modules of the sources. A module that cannot be opened is not used. */
const sourceModules = sources.map(
  ({ source, digest }): SourceModule => ({
    ...source,
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
 * Resolves with true if the phrases file is intact, and made by this model from each source that this machine has.
 * Nothing is fetched. A module that was removed since stays in the file.
 */
export async function areTopicPhrasesUpToDate(options: BuildTopicPhrasesOptions): Promise<boolean> {
  const { found } = findModules(sourceModules, { ...options, log: () => undefined });
  try {
    const { sources: known } = await readPhrasesHeader(phrasesFile(options.dataDir), { embedder: options.embedder.id });
    return Object.entries(digestSources(found)).every(([id, digest]) => known[id] === digest);
  } catch (error) {
    if (isChecksummedFileError(error)) return false;
    throw error;
  }
}

/** Finds or fetches the modules of the sources. A module that cannot be had is left out, with a warning. */
export const fetchPhraseModules = (options: FetchOptions): Promise<ModuleSources> =>
  fetchOptionalModules(sourceModules, options);

/** Writes the phrases file. Resolves with the number of phrases that the model embedded. */
export async function buildTopicPhrases(
  modules: ModuleSources,
  { dataDir, embedder, log, signal }: BuildTopicPhrasesOptions,
): Promise<number> {
  const tools = createReadingTools();
  const read = ({ source, read: readPhrases }: PhraseSource): Phrase[] => {
    const conf = modules.get(source.module);
    return conf === undefined ? [] : readPhrases(conf, tools);
  };
  return buildPhrases({
    lists: { topics: read(phraseSources.topics), outlines: read(phraseSources.outlines) },
    sources: digestSources(modules),
    embedder,
    file: phrasesFile(dataDir),
    shipped: shippedPhrases(),
    log,
    ...(signal && { signal }),
  });
}

/** Returns the digest of each module that was found, by the id of its source. */
const digestSources = (found: ModuleSources): Record<string, string> =>
  Object.fromEntries(
    sources.flatMap(({ id, source, digest }) => {
      const conf = found.get(source.module);
      return conf === undefined ? [] : [[id, digest(conf)]];
    }),
  );
