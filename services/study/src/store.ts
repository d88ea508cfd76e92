import { type Place, standardVerses, verseOrdinal } from '@lectern/canon';
import { openChecksummedFile, openTranslationFiles } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import { createStandardVerses, parseTopicId, type TopicSection } from '@lectern/reference-works';
import type { Database } from 'better-sqlite3';
import type { Commentary, Source, Topic } from './read';
import { createVerseStudyReader, groupBy } from './read';
import { readStudyTranslation, type StudyTranslation } from './spans';
import { type EntryRow, prepareStatements } from './statements';
import { foldTopicName, referenceWorksFile, referenceWorksKind, studyFileKind } from './tables';
import { createTopicSearch, maxQueryLength } from './topics';

export interface StudyStoreOptions {
  /** The data folder with reference-works.sqlite and the study.sqlite of each translation. */
  dataDir: string;
  /** Receives one line when a translation cannot be served. */
  report?: ((line: string) => void) | undefined;
  /**
   * Called with the text of each SQL statement that runs, so that tests can count the statements.
   */
  onStatement?: ((statement: string) => void) | undefined;
}

/**
 * Opens the files of the study subgraph and reads from them. Expected errors come from
 * `@lectern/errors`. If reference-works.sqlite or study-catalogue.sqlite cannot be opened, throws
 * an error that names the command to repair the file.
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
  const topics = readTopics(db);
  const topicByName = new Map(topics.map((topic) => [foldTopicName(topic.name), topic]));
  const sources = readSources(db);
  const commentaries = readCommentaries(db, sources);
  const statements = prepareStatements(db);
  const findTopic = (name: string): Topic | null => topicByName.get(foldTopicName(name)) ?? null;

  return {
    /**
     * The translations that study-catalogue.sqlite lists, which `createSubgraph` watches for
     * changes.
     */
    dataset: files,

    /**
     * The identifiers of the reference works that were missing when reference-works.sqlite was
     * built.
     */
    missingSources: JSON.parse(manifest.get('missing') ?? '[]') as readonly string[],

    verses: createStandardVerses(),

    /**
     * Returns null if this subgraph does not serve the translation. Another subgraph with newer
     * data may already name it.
     */
    findTranslation: (identifier: string): StudyTranslation | null => files.find(identifier),

    /** Returns a translation. Throws `translationNotFound`. */
    translation(identifier: string): StudyTranslation {
      const translation = files.find(identifier);
      if (!translation) throw errors.translationNotFound(identifier);
      return translation;
    },

    /** The commentaries in reference-works.sqlite, sorted by identifier. */
    commentaries,

    /**
     * Finds a page of topics. Throws `tooLong` for a long query, `invalidCursor` for a bad cursor.
     */
    topicPage: createTopicSearch(db, topics),

    /** Returns the topic with a name. Throws `topicNotFound`, and `tooLong` for a long name. */
    topic(name: string): Topic {
      if ([...name].length > maxQueryLength) throw errors.tooLong('name', maxQueryLength);
      const topic = findTopic(name);
      if (!topic) throw errors.topicNotFound(name);
      return topic;
    },

    /** Returns the topic with an id, or null if no topic has the id. */
    topicById(id: string): Topic | null {
      const name = parseTopicId(id);
      const topic = name === null ? null : findTopic(name);
      return topic?.name === name ? topic : null;
    },

    /** Returns the first `first` topics to which a topic refers. */
    seeAlso: ({ seeAlso }: Topic, first: number): Topic[] =>
      seeAlso.slice(0, first).flatMap((number) => topics[number - 1] ?? []),

    /** The source of all topics. Null if the topical Bible is missing. */
    topicalBible: sources.find(({ id }) => id === 'naves') ?? null,

    /** Reads the sections of topics with one SQL statement, in the order of `wanted`. */
    sections(wanted: readonly Topic[]): TopicSection[][] {
      const numbers = wanted.map(({ number }) => number);
      const rows = groupBy(statements.entries(JSON.stringify(numbers)), ({ topic }) => topic);
      return wanted.map(({ number }) => toSections(rows.get(number) ?? []));
    },

    /** Functions that read the topics, cross references and notes of several verses at once. */
    ofVerses: createVerseStudyReader(statements, { topics, sources, commentaries }),

    close(): void {
      files.close();
      db.close();
    },
  };
}

export type StudyStore = ReturnType<typeof createStudyStore>;

/**
 * Returns the verses of the standard numbering (the verse numbers of the King James Version) that
 * one verse of a translation contains, as ordinals (43003016 for JHN 3:16).
 */
export const standardOrdinals = ({ numbering }: StudyTranslation, place: Place): number[] =>
  standardVerses(numbering, place).map(verseOrdinal);

/**
 * Reads all topics without their entries, in alphabetical order. All topics take two megabytes of
 * memory.
 */
function readTopics(db: Database): readonly Topic[] {
  return db
    .prepare<[], { number: number; name: string; verseCount: number; seeAlso: string }>(
      'SELECT number, name, verse_count AS verseCount, see_also AS seeAlso FROM topic ORDER BY number',
    )
    .all()
    .map(({ seeAlso, ...topic }) => ({ ...topic, seeAlso: JSON.parse(seeAlso) as number[] }));
}

const readSources = (db: Database): readonly Source[] =>
  db.prepare<[], Source>('SELECT number, id, title, author, year, licence FROM source ORDER BY number').all();

/** Reads the commentaries: the sources with notes. */
const readCommentaries = (db: Database, sources: readonly Source[]): readonly Commentary[] =>
  db
    .prepare<[], { number: number; noteCount: number }>(
      'SELECT number, note_count AS noteCount FROM source WHERE note_count > 0 ORDER BY id',
    )
    .all()
    .flatMap(({ number, noteCount }) =>
      sources.filter((source) => source.number === number).map((source) => ({ source, noteCount })),
    );

function toSections(rows: readonly EntryRow[]): TopicSection[] {
  return [...groupBy(rows, ({ section }) => section).values()].map((own) => ({
    heading: own[0]?.heading ?? null,
    entries: own
      .map(({ text, spans }) => ({
        text,
        references: (JSON.parse(spans) as [number, number][]).map(([first, last]) => ({ first, last })),
      }))
      .filter(({ text, references }) => text !== null || references.length > 0),
  }));
}
