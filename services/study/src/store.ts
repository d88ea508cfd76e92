import { openChecksummedFile, openTranslationFiles } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import { createStandardVerses, parseTopicId } from '@lectern/reference-works';
import { createStudyReader, type Source, type Topic } from './reader';
import { readStudyTranslation, type StudyTranslation } from './spans';
import { foldTopicName, referenceWorksFile, referenceWorksKind, studyFileKind } from './tables';
import { createTopicSearch, maxQueryLength } from './topic-search';

interface StudyStoreOptions {
  /** The data folder, with reference-works.sqlite and the study.sqlite of each translation. */
  dataDir: string;
  /** Receives one line when a translation cannot be served. */
  report?: ((line: string) => void) | undefined;
  /** Receives the text of each SQL statement that runs, so that tests can count them. */
  onStatement?: ((statement: string) => void) | undefined;
}

/**
 * Opens the files of the study subgraph and creates the functions that read them. If reference-works.sqlite or
 * study-catalogue.sqlite cannot be opened, throws an error that names the command to repair the file.
 */
export function createStudyStore({ dataDir, report, onStatement }: StudyStoreOptions) {
  const { db, manifest } = openChecksummedFile(referenceWorksFile(dataDir), referenceWorksKind, {
    ...(onStatement && { onStatement }),
  });
  const files = openTranslationFiles<StudyTranslation, null>({
    dataDir,
    kind: studyFileKind,
    toEntry: readStudyTranslation,
    readContent: () => ({ content: null, bytes: 0 }),
    report,
  });
  /** All topics without their entries, in alphabetical order. They take two megabytes. */
  const topics = db
    .prepare<[], Omit<Topic, 'seeAlso'> & { seeAlso: string }>(
      'SELECT number, name, verse_count AS verseCount, see_also AS seeAlso FROM topic ORDER BY number',
    )
    .all()
    .map(({ seeAlso, ...topic }): Topic => ({ ...topic, seeAlso: JSON.parse(seeAlso) as number[] }));
  const topicByName = new Map(topics.map((topic) => [foldTopicName(topic.name), topic]));
  const sources = db
    .prepare<[], Source>('SELECT number, id, title, author, year, licence FROM source ORDER BY number')
    .all();
  /** The sources that have notes. */
  const commentaries = db
    .prepare<[], { number: number; noteCount: number }>(
      'SELECT number, note_count AS noteCount FROM source WHERE note_count > 0 ORDER BY id',
    )
    .all()
    .flatMap(({ number, noteCount }) =>
      sources.filter((source) => source.number === number).map((source) => ({ source, noteCount })),
    );
  const findTopic = (name: string): Topic | null => topicByName.get(foldTopicName(name)) ?? null;

  return {
    /** The translations of study-catalogue.sqlite, which `createSubgraph` watches for changes. */
    dataset: files,
    /** The reference works that this machine did not have when reference-works.sqlite was built. */
    missingSources: JSON.parse(manifest.get('missing') ?? '[]') as readonly string[],
    verses: createStandardVerses(),
    commentaries,
    /** The source of all topics. Null if the topical Bible is missing. */
    topicalBible: sources.find(({ id }) => id === 'naves') ?? null,
    read: createStudyReader(db, { topics, sources, commentaries }),
    topicPage: createTopicSearch(db, topics),

    /**
     * Returns a translation, or null if this subgraph does not have it. Another subgraph with newer data may have it.
     */
    findTranslation: (identifier: string): StudyTranslation | null => files.find(identifier),

    /** Returns a translation. Throws `translationNotFound`. */
    translation(identifier: string): StudyTranslation {
      const translation = files.find(identifier);
      if (!translation) throw errors.translationNotFound(identifier);
      return translation;
    },

    /** Returns a topic by its name. Throws `topicNotFound` or, for a long name, `tooLong`. */
    topic(name: string): Topic {
      if ([...name].length > maxQueryLength) throw errors.tooLong('name', maxQueryLength);
      const topic = findTopic(name);
      if (!topic) throw errors.topicNotFound(name);
      return topic;
    },

    topicById(id: string): Topic | null {
      const name = parseTopicId(id);
      const topic = name === null ? null : findTopic(name);
      return topic?.name === name ? topic : null;
    },

    /** Returns the topics to which a topic refers, at most `first`. */
    seeAlso: ({ seeAlso }: Topic, first: number): Topic[] =>
      seeAlso.slice(0, first).flatMap((number) => topics[number - 1] ?? []),

    close(): void {
      files.close();
      db.close();
    },
  };
}

export type StudyStore = ReturnType<typeof createStudyStore>;
