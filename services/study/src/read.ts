import type { VerseSpan } from '@lectern/reference-works';
import type { NoteRow, PreparedStatements, VerseNoteRow } from './statements';

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
  /** The position of the topic in alphabetical order, from 1. */
  readonly number: number;
  readonly name: string;
  readonly verseCount: number;
  /** The numbers of the topics that the topic refers to. */
  readonly seeAlso: readonly number[];
}

/** A page of topics. */
export interface TopicPage {
  readonly totalCount: number;
  /** The position of the page's first topic in the list, from 0. */
  readonly start: number;
  readonly topics: readonly Topic[];
}

/** A topic that names a verse. */
export interface VerseTopic {
  readonly topic: Topic;
  readonly section: string | null;
  readonly entry: string | null;
}

/** Consecutive verses that sources name as a cross reference of a verse. */
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
export function groupBy<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * The verses of the standard numbering (the verse numbers of the King James Version) that one verse
 * of a translation contains, as ordinals (43003016 for JHN 3:16): usually one, several if the
 * translation combines verses.
 */
export type StandardVerseList = readonly number[];

interface Names {
  readonly topics: readonly Topic[];
  readonly sources: readonly Source[];
  readonly commentaries: readonly Commentary[];
}

/**
 * Creates the functions that read the topics, cross references and notes of several verses at once.
 * Each function but `notes` returns one list for each item of `wanted`, with at most `first` items.
 */
export function createVerseStudyReader(statements: PreparedStatements, { topics, sources, commentaries }: Names) {
  const sourceByNumber = new Map(sources.map((source) => [source.number, source]));
  const commentaryByNumber = new Map(commentaries.map((commentary) => [commentary.source.number, commentary]));

  return {
    topics(wanted: readonly StandardVerseList[], first: number): VerseTopic[][] {
      const rows = groupBy(statements.verseTopics(distinct(wanted), first), ({ verse }) => verse);
      return wanted.map((verses) => {
        const named = verses
          .flatMap((verse) => rows.get(verse) ?? [])
          .flatMap(({ topic: number, section, entry }): VerseTopic[] => {
            const topic = topics[number - 1];
            return topic ? [{ topic, section, entry }] : [];
          });
        named.sort((a, b) => a.topic.verseCount - b.topic.verseCount || a.topic.number - b.topic.number);
        const isRepeated = (each: VerseTopic, index: number) => named[index - 1]?.topic === each.topic;
        return named.filter((each, index) => !isRepeated(each, index)).slice(0, first);
      });
    },

    crossReferences(wanted: readonly StandardVerseList[], first: number): CrossReference[][] {
      const rows = groupBy(statements.crossReferences(distinct(wanted), first), ({ verse }) => verse);
      return wanted.map((verses) => {
        const references = verses
          .flatMap((verse) => rows.get(verse) ?? [])
          .map(
            (row): CrossReference => ({
              first: row.first,
              last: row.last,
              sources: (JSON.parse(row.sources) as number[])
                .flatMap((number) => sourceByNumber.get(number) ?? [])
                .sort((a, b) => (a.title < b.title ? -1 : 1)),
            }),
          )
          .sort((a, b) => b.sources.length - a.sources.length || a.first - b.first || a.last - b.last);
        const isRepeated = ({ first: from, last }: CrossReference, index: number) =>
          references[index - 1]?.first === from && references[index - 1]?.last === last;
        return references.filter((each, index) => !isRepeated(each, index)).slice(0, first);
      });
    },

    /**
     * Returns the numbers of the notes on each verse, from all commentaries or only from `source`.
     * The function `notes` reads notes by number.
     */
    noteNumbers(
      wanted: readonly StandardVerseList[],
      { source, first }: { source: string | null; first: number },
    ): number[][] {
      const found = commentaries.find((each) => each.source.id === source);
      const only = source === null ? null : (found?.source.number ?? -1);
      const rows = groupBy(statements.verseNotes(distinct(wanted), first), ({ verse }) => verse);
      return wanted.map((verses) =>
        chooseNotes(
          verses.flatMap((verse) => rows.get(verse) ?? []),
          only,
          first,
        ),
      );
    },

    /** Reads notes, in the order of `numbers`. */
    notes(numbers: readonly number[]): CommentaryNote[] {
      const rows = statements.notes(JSON.stringify([...new Set(numbers)]));
      const notes = new Map(rows.map((row) => [row.number, toNote(row, commentaryByNumber)]));
      return numbers.flatMap((number) => notes.get(number) ?? []);
    },
  };
}

/** Returns the JSON array of all verses, each once. */
const distinct = (wanted: readonly StandardVerseList[]): string => JSON.stringify([...new Set(wanted.flat())]);

/**
 * Returns the numbers of at most `first` notes: the first note of each commentary, then the second
 * of each, and so on.
 */
function chooseNotes(rows: readonly VerseNoteRow[], source: number | null, first: number): number[] {
  const ordered = rows
    .filter((row) => source === null || row.source === source)
    .sort((a, b) => a.rank - b.rank || a.source - b.source || a.note - b.note);
  return [...new Set(ordered.map(({ note }) => note))].slice(0, first);
}

function toNote(
  { source, first, last, heading, text, spans }: NoteRow,
  commentaries: ReadonlyMap<number, Commentary>,
): CommentaryNote {
  const commentary = commentaries.get(source);
  if (!commentary) throw new Error(`The study file has a note without a commentary: source ${source}`);
  const references = (JSON.parse(spans) as [number, number, number, number][]).map(([start, length, from, to]) => ({
    start,
    length,
    target: { first: from, last: to },
  }));
  return { commentary, span: { first, last }, heading, text, references };
}
