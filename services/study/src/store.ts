import { openChecksummedFile, openTranslationFiles, type TranslationFilesOptions } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import { createStandardVerses, parseTopicId } from '@lectern/reference-works';
import { type Page, type PageArguments, readPage } from '@lectern/subgraph';
import { tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { createStudyReader, type Source, type Topic } from './reader';
import { readStudyTranslation, type StudyTranslation } from './spans';
import { foldTopicName, referenceWorksFile, referenceWorksKind, studyFileKind } from './tables';

type StudyStoreOptions = Pick<TranslationFilesOptions<StudyTranslation, null>, 'dataDir' | 'report' | 'onStatement'>;

/** Throws an error that names the repair command if reference-works.sqlite or study-catalogue.sqlite is unusable. */
export function createStudyStore({ dataDir, report, onStatement }: StudyStoreOptions) {
  const { db, manifest } = openChecksummedFile(referenceWorksFile(dataDir), referenceWorksKind, { onStatement });
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

    /** Creates the functions that find translations, for callers that may read these restricted translations. */
    translationsFor(granted: ReadonlySet<string>) {
      const { find } = files.withRights(granted);
      return {
        /** Returns a translation, or null if this subgraph lacks it. Another subgraph with newer data may have it. */
        findTranslation: find,
        /** Returns a translation. Throws `translationNotFound`. */
        translation(identifier: string): StudyTranslation {
          const translation = find(identifier);
          if (!translation) throw errors.translationNotFound(identifier);
          return translation;
        },
      };
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

type OpenStudyStore = ReturnType<typeof createStudyStore>;

export type StudyStore = OpenStudyStore & ReturnType<OpenStudyStore['translationsFor']>;

export interface TopicArguments extends PageArguments {
  readonly query?: string | null;
}

export const maxQueryLength = 200;
/** The minimum length of a last word that also matches longer ones, because the user may still be typing it. */
const minPrefixLength = 3;

/** `topics` must be all topics in alphabetical order. The search throws `tooLong` or `invalidCursor`. */
function createTopicSearch(db: Database, topics: readonly Topic[]) {
  const count = db.prepare<[string], { count: number }>(
    'SELECT count(*) AS count FROM topic_words WHERE topic_words MATCH ?',
  );
  // In bm25, a match in the name of a topic has ten times the weight of a match in a heading.
  const select = db.prepare<[string, string, number, number], { number: number }>(
    `SELECT topic_words.rowid AS number FROM topic_words JOIN topic ON topic.number = topic_words.rowid
     WHERE topic_words MATCH ? ORDER BY topic.folded_name = ? DESC, bm25(topic_words, 10, 1), topic.number LIMIT ? OFFSET ?`,
  );
  return ({ query, first, after }: TopicArguments): Page<Topic> => {
    const text = query ?? '';
    if ([...text].length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
    const { start, limit } = readPage({ first, after });
    if (text.trim() === '') return { totalCount: topics.length, start, nodes: topics.slice(start, start + limit) };
    const words = tokenize(text).map(({ folded }) => folded);
    if (words.length === 0) return { totalCount: 0, start, nodes: [] };
    const match = matchExpression(words);
    const found = select.all(match, words.join(' '), limit, start);
    return {
      totalCount: count.get(match)?.count ?? 0,
      start,
      nodes: found.flatMap(({ number }) => topics[number - 1] ?? []),
    };
  };
}

/** Returns the FTS5 expression that requires all words, the last as a prefix. Quotation marks prevent operators. */
function matchExpression(words: readonly string[]): string {
  const isPrefix = [...(words.at(-1) ?? '')].length >= minPrefixLength;
  return `${words.map((word) => `"${word.replaceAll('"', '""')}"`).join(' ')}${isPrefix ? '*' : ''}`;
}
