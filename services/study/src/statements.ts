import type { Database } from 'better-sqlite3';

interface VerseTopicRow {
  readonly verse: number;
  readonly topic: number;
  readonly section: string | null;
  readonly entry: string | null;
}

interface CrossReferenceRow {
  readonly verse: number;
  readonly first: number;
  readonly last: number;
  /** JSON: the numbers of the sources. */
  readonly sources: string;
}

export interface VerseNoteRow {
  readonly verse: number;
  readonly rank: number;
  readonly source: number;
  readonly note: number;
}

export interface NoteRow {
  readonly number: number;
  readonly source: number;
  readonly first: number;
  readonly last: number;
  readonly heading: string | null;
  readonly text: string;
  /** JSON: [start, length, first verse, last verse] of each reference in the text. */
  readonly spans: string;
}

export interface EntryRow {
  readonly topic: number;
  readonly section: number;
  readonly heading: string | null;
  readonly text: string | null;
  /** JSON: [first verse, last verse] of each reference. */
  readonly spans: string;
}

/**
 * Prepares the statements that read rows of several verses, notes or topics at once. Their first
 * parameter is a JSON array. CROSS JOIN fixes the join order, so that SQLite looks up each item of
 * the array by key and never scans a table.
 */
export function prepareStatements(db: Database) {
  const verseTopics = db.prepare<[string, number], VerseTopicRow>(
    `SELECT v.verse, v.topic, e.heading AS section, e.text AS entry FROM json_each(?) AS place
     CROSS JOIN verse_topic AS v ON v.verse = place.value AND v.rank < ?
     CROSS JOIN topic_entry AS e ON e.topic = v.topic AND e.number = v.entry`,
  );
  const crossReferences = db.prepare<[string, number], CrossReferenceRow>(
    `SELECT c.verse, c.first, c.last, c.sources FROM json_each(?) AS place
     CROSS JOIN cross_reference AS c ON c.verse = place.value AND c.rank < ?`,
  );
  const verseNotes = db.prepare<[string, number], VerseNoteRow>(
    `SELECT v.verse, v.rank, v.source, v.note FROM json_each(?) AS place
     CROSS JOIN verse_note AS v ON v.verse = place.value AND v.rank < ?`,
  );
  const notes = db.prepare<[string], NoteRow>(
    `SELECT n.number, n.source, n.first, n.last, n.heading, n.text, n.spans FROM json_each(?) AS place
     CROSS JOIN note AS n ON n.number = place.value`,
  );
  const entries = db.prepare<[string], EntryRow>(
    `SELECT e.topic, e.section, e.heading, e.text, e.spans FROM json_each(?) AS place
     CROSS JOIN topic_entry AS e ON e.topic = place.value ORDER BY e.topic, e.number`,
  );
  return {
    verseTopics: (verses: string, first: number): VerseTopicRow[] => verseTopics.all(verses, first),
    crossReferences: (verses: string, first: number): CrossReferenceRow[] => crossReferences.all(verses, first),
    verseNotes: (verses: string, first: number): VerseNoteRow[] => verseNotes.all(verses, first),
    notes: (numbers: string): NoteRow[] => notes.all(numbers),
    entries: (topics: string): EntryRow[] => entries.all(topics),
  };
}
export type PreparedStatements = ReturnType<typeof prepareStatements>;
