import type { TopicSection, VerseSpan } from '@lectern/reference-works';
import type { Database } from 'better-sqlite3';

/** A published work from which topics, cross references or notes come. */
export interface Source {
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly year: number | null;
  readonly licence: string;
}

export interface Commentary {
  readonly source: Source;
  readonly noteCount: number;
}

export interface Topic {
  /** The number of the topic in alphabetical order, from 1. */
  readonly number: number;
  readonly name: string;
  readonly verseCount: number;
  /** The numbers of the topics to which this topic refers. */
  readonly seeAlso: readonly number[];
}

/** A topic, in the list of a verse that it names. */
export interface VerseTopic {
  readonly topic: Topic;
  readonly section: string | null;
  readonly entry: string | null;
}

/** A cross reference of a verse: consecutive verses that the same sources (published works) name. */
export interface CrossReference extends VerseSpan {
  readonly sources: readonly Source[];
}

export interface CommentaryNote {
  readonly commentary: Commentary;
  readonly span: VerseSpan;
  readonly heading: string | null;
  readonly text: string;
  readonly references: readonly { readonly start: number; readonly length: number; readonly target: VerseSpan }[];
}

/** Groups items by a key, in the order of their first items. Node.js 20 has no Map.groupBy. */
function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/** The King James verses that a verse contains, as numbers (43003016 for JHN 3:16). Several if it combines verses. */
export type StandardVerseList = readonly number[];

interface Names {
  readonly topics: readonly Topic[];
  readonly sources: readonly Source[];
  readonly commentaries: readonly Commentary[];
}

/** Reads reference-works.sqlite, one SQL statement a call. All but `notes` return a list for each item of an array. */
export function createStudyReader(db: Database, { topics, sources, commentaries }: Names) {
  const { selectTopics, selectCrossReferences, selectNoteNumbers, selectNotes, selectEntries } = prepareQueries(db);
  const sourceByNumber = new Map(sources.map((source) => [source.number, source]));
  const commentaryByNumber = new Map(commentaries.map((commentary) => [commentary.source.number, commentary]));

  return {
    topics(wanted: readonly StandardVerseList[], first: number): VerseTopic[][] {
      return rowsOf(wanted, selectTopics.all(distinct(wanted), first)).map((rows) => {
        const named = rows.flatMap(({ topic: number, section, entry }): VerseTopic[] => {
          const topic = topics[number - 1];
          return topic ? [{ topic, section, entry }] : [];
        });
        named.sort((a, b) => a.topic.verseCount - b.topic.verseCount || a.topic.number - b.topic.number);
        return named.filter(({ topic }, index) => topic !== named[index - 1]?.topic).slice(0, first);
      });
    },

    crossReferences(wanted: readonly StandardVerseList[], first: number): CrossReference[][] {
      return rowsOf(wanted, selectCrossReferences.all(distinct(wanted), first)).map((rows) => {
        rows.sort((a, b) => a.rank - b.rank || a.first - b.first || a.last - b.last);
        // Two verses that one verse of a translation contains may refer to the same verses.
        const isRepeated = ({ first: start, last }: (typeof rows)[number], index: number): boolean =>
          rows.findIndex((row) => row.first === start && row.last === last) < index;
        const kept = rows.filter((row, index) => !isRepeated(row, index)).slice(0, first);
        return kept.map((row): CrossReference => {
          const named = (JSON.parse(row.sources) as number[]).flatMap((number) => sourceByNumber.get(number) ?? []);
          return { first: row.first, last: row.last, sources: named.sort((a, b) => (a.title < b.title ? -1 : 1)) };
        });
      });
    },

    /** The notes of `source`, or with null of all: the first note of each commentary, then the second, and so on. */
    noteNumbers(
      wanted: readonly StandardVerseList[],
      { source, first }: { source: string | null; first: number },
    ): number[][] {
      const only = commentaries.find((each) => each.source.id === source)?.source.number;
      return rowsOf(wanted, selectNoteNumbers.all(distinct(wanted), first)).map((rows) => {
        const ordered = rows
          .filter((row) => source === null || row.source === only)
          .sort((a, b) => a.rank - b.rank || a.source - b.source || a.note - b.note);
        return [...new Set(ordered.map(({ note }) => note))].slice(0, first);
      });
    },

    /** Reads notes, in the order of `numbers`. */
    notes(numbers: readonly number[]): CommentaryNote[] {
      const rows = selectNotes.all(JSON.stringify([...new Set(numbers)]));
      const notes = new Map(
        rows.map(({ number, source, first, last, heading, text, spans }): [number, CommentaryNote] => {
          const commentary = commentaryByNumber.get(source);
          if (!commentary) throw new Error(`The study file has a note without a commentary: source ${source}`);
          const references = (JSON.parse(spans) as [number, number, number, number][]).map(
            ([start, length, from, to]) => ({ start, length, target: { first: from, last: to } }),
          );
          return [number, { commentary, span: { first, last }, heading, text, references }];
        }),
      );
      return numbers.flatMap((number) => notes.get(number) ?? []);
    },

    sections(wanted: readonly Topic[]): TopicSection[][] {
      const rows = selectEntries.all(JSON.stringify(wanted.map(({ number }) => number)));
      const byTopic = groupBy(rows, ({ topic }) => topic);
      return wanted.map(({ number }) =>
        [...groupBy(byTopic.get(number) ?? [], ({ section }) => section).values()].map((own) => ({
          heading: own[0]?.heading ?? null,
          entries: own
            .map(({ text, spans }) => ({
              text,
              references: (JSON.parse(spans) as [number, number][]).map(([first, last]) => ({ first, last })),
            }))
            .filter(({ text, references }) => text !== null || references.length > 0),
        })),
      );
    },
  };
}

// CROSS JOIN fixes the join order: SQLite looks up each item of the JSON array by key and never scans a table.
const prepareQueries = (db: Database) => ({
  selectTopics: db.prepare<
    [string, number],
    { verse: number; topic: number; section: string | null; entry: string | null }
  >(
    `SELECT v.verse, v.topic, e.heading AS section, e.text AS entry FROM json_each(?) AS place
     CROSS JOIN verse_topic AS v ON v.verse = place.value AND v.rank < ?
     CROSS JOIN topic_entry AS e ON e.topic = v.topic AND e.number = v.entry`,
  ),
  selectCrossReferences: db.prepare<
    [string, number],
    { verse: number; rank: number; first: number; last: number; sources: string }
  >(
    `SELECT c.verse, c.rank, c.first, c.last, c.sources FROM json_each(?) AS place
     CROSS JOIN cross_reference AS c ON c.verse = place.value AND c.rank < ?`,
  ),
  selectNoteNumbers: db.prepare<[string, number], { verse: number; rank: number; source: number; note: number }>(
    `SELECT v.verse, v.rank, v.source, v.note FROM json_each(?) AS place
     CROSS JOIN verse_note AS v ON v.verse = place.value AND v.rank < ?`,
  ),
  selectNotes: db.prepare<
    [string],
    { number: number; source: number; first: number; last: number; heading: string | null; text: string; spans: string }
  >(
    `SELECT n.number, n.source, n.first, n.last, n.heading, n.text, n.spans FROM json_each(?) AS place
     CROSS JOIN note AS n ON n.number = place.value`,
  ),
  selectEntries: db.prepare<
    [string],
    { topic: number; section: number; heading: string | null; text: string | null; spans: string }
  >(
    `SELECT e.topic, e.section, e.heading, e.text, e.spans FROM json_each(?) AS place
     CROSS JOIN topic_entry AS e ON e.topic = place.value ORDER BY e.topic, e.number`,
  ),
});

/** Returns the verses of all lists as one JSON array, without duplicates. */
const distinct = (wanted: readonly StandardVerseList[]): string => JSON.stringify([...new Set(wanted.flat())]);

function rowsOf<Row extends { verse: number }>(wanted: readonly StandardVerseList[], rows: readonly Row[]): Row[][] {
  const byVerse = groupBy(rows, ({ verse }) => verse);
  return wanted.map((verses) => verses.flatMap((verse) => byVerse.get(verse) ?? []));
}
