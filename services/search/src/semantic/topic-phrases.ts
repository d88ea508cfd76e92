import { statSync } from 'node:fs';
import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { checkByReading, digestModules, fetchOptionalModules, findModules } from '@lectern/corpus';
import { fileIdentity, isChecksummedFileError, nullIfUnusable } from '@lectern/data-files';
import { type Embedder, noValues } from '@lectern/embeddings';
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
import type { Logger, WorkBudget } from '@lectern/serving';
import { buildPhrases, questionsDigest, readQuestions } from './build-phrases';
import {
  type FindPhraseBonus,
  type OpenPhrases,
  openPhrases,
  phrasesFile,
  readPhrasesHeader,
  type TopicMatch,
} from './phrases-file';

type PhraseLists = Parameters<typeof buildPhrases>[0]['lists'];

const outlineWork = commentaryWorks.find(({ id }) => id === 'henry');
if (!outlineWork) throw new Error('the commentaries lack henry');

/** A topical Bible, and the outlines of a commentary. A query near to one of their phrases ranks its verses higher. */
const sources = [topicalBible, outlineWork];

const readOutlinePhrases = (conf: string, versesAndParser: VersesAndParser): PhraseLists['outlines'] =>
  readOutlines(conf, versesAndParser).map(({ title, span }) => ({
    text: title,
    label: null,
    references: [versesAndParser.verses.within(span)],
  }));

const readQuestionPhrases = ({ verses }: VersesAndParser): PhraseLists['questions'] =>
  readQuestions().map(({ text, passages }) => ({ text, label: null, references: passages.map(verses.within) }));

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

/** The SWORD modules of the reference works. A module is not used if its data files cannot be read. */
const sourceModules = sources.map(
  ({ module, debianPackage, digest }): SourceModule => ({
    module,
    debianPackage,
    check: checkByReading(digest),
  }),
);

const digestSources = (modules: ModuleSources): Record<string, string> => ({
  ...digestModules(sources, modules),
  questions: questionsDigest(),
});

interface BuildTopicPhrasesOptions extends FetchOptions {
  embedder: Pick<Embedder, 'id' | 'dimensions' | 'embedQueries'>;
  signal?: AbortSignal;
}

/** Whether the file is intact and fits this model and sources. Absent sources stay in the file. Downloads nothing. */
export async function areTopicPhrasesUpToDate(options: BuildTopicPhrasesOptions): Promise<boolean> {
  const { found } = findModules(sourceModules, { ...options, log: () => undefined });
  const file = phrasesFile(options.dataDir);
  const header = await readPhrasesHeader(file, { embedder: options.embedder.id }).catch(nullIfUnusable);
  if (header === null) return false;
  return Object.entries(digestSources(found)).every(([id, digest]) => header.sources[id] === digest);
}

/** Downloads the SWORD modules that contain the phrases. If a module is missing, logs a warning and leaves it out. */
export const fetchPhraseModules = (options: FetchOptions): Promise<ModuleSources> =>
  fetchOptionalModules(sourceModules, options);

/** Writes the file of phrases. Resolves with the number of phrases that the model embedded. */
export async function buildTopicPhrases(
  modules: ModuleSources,
  { dataDir, embedder, log, signal }: BuildTopicPhrasesOptions,
): Promise<number> {
  const versesAndParser = createVersesAndParser();
  const [topics, outlines] = sources.map(({ module }) => modules.get(module));
  return buildPhrases({
    lists: {
      ...(topics === undefined ? { topics: [], otherNames: [] } : readTopicLists(topics, versesAndParser)),
      outlines: outlines === undefined ? [] : readOutlinePhrases(outlines, versesAndParser),
      questions: readQuestionPhrases(versesAndParser),
    },
    sources: digestSources(modules),
    embedder,
    file: phrasesFile(dataDir),
    log,
    ...(signal && { signal }),
  });
}

interface TopicPhrasesOptions {
  dataDir: string;
  embedder: Pick<Embedder, 'id'>;
  without?: ReadonlySet<string> | undefined;
  /** Returns the row of a verse in the shared vectors. The verse is an ordinal in the standard numbering. */
  rowOf: (ordinal: number) => number | null;
  /** In milliseconds. A replaced file stays open for twice this time, for queries in flight. */
  timeoutMs: number;
  log: Logger;
}

/** Without a usable file, verses have no bonus. `refresh` opens the file, and opens it again after it was replaced. */
export function openTopicPhrases({ dataDir, embedder, without, rowOf, timeoutMs, log }: TopicPhrasesOptions) {
  const file = phrasesFile(dataDir);
  let opened: { phrases: OpenPhrases; findPhraseBonus: FindPhraseBonus } | null = null;
  let openedIdentity = 'none';

  const open = async (): Promise<typeof opened> => {
    try {
      const phrases = await openPhrases(file, { embedder: embedder.id, without });
      return { phrases, findPhraseBonus: phrases.createFindPhraseBonus(rowOf) };
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
      if (before) setTimeout(() => void before.phrases.close(), 2 * timeoutMs).unref();
      for (const { title, debianPackage } of opened ? sources.filter(({ id }) => isMissing(id)) : [])
        log.warn(`semantic search works without ${title}: install ${debianPackage} and run \`npm run data\``);
    },

    /** The titles of the reference works whose phrases are missing, for GET /ready. */
    missingWorks: (): string[] => sources.filter(({ id }) => isMissing(id)).map(({ title }) => title),

    hasTopics: (): boolean => !isMissing(topicalBible.id),

    findPhraseBonus: (async (vector, work) =>
      opened?.findPhraseBonus(vector, work) ?? noValues) satisfies FindPhraseBonus,

    /** Returns how prominent a verse is (see `OpenPhrases`). The verse is an ordinal in the standard numbering. */
    prominenceOf: (ordinal: number): number => opened?.phrases.prominenceOf(ordinal) ?? 0,

    nearestTopics: async (vector: Float32Array, limit: number, work: WorkBudget): Promise<TopicMatch[]> =>
      (await opened?.phrases.nearestTopics(vector, limit, work)) ?? [],

    close: async (): Promise<void> => opened?.phrases.close(),
  };
}
