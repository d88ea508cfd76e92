import type { StandardVerses, TopicalBible, TopicSection } from '@lectern/reference-works';
import { tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { foldTopicName, maxPerVerse } from '../tables';

/** An entry of a topic that names a given verse. */
interface TopicOfVerse {
  readonly topic: number;
  readonly entry: number;
  /** The number of verses that the topic names. */
  readonly verseCount: number;
}

/** Writes the topics, their entries, the words by which they are found, and the topics of each verse. */
export function writeTopics(db: Database, { topics }: TopicalBible, verses: StandardVerses): void {
  const insertTopic = db.prepare(
    'INSERT INTO topic (number, name, folded_name, verse_count, see_also) VALUES (?, ?, ?, ?, ?)',
  );
  const insertWords = db.prepare('INSERT INTO topic_words (rowid, name, headings) VALUES (?, ?, ?)');
  const insertEntry = db.prepare(
    'INSERT INTO topic_entry (topic, number, section, heading, text, spans) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const sorted = [...topics].sort((a, b) => (a.name < b.name ? -1 : 1));
  const numbers = new Map(sorted.map(({ name }, index) => [name, index + 1]));
  const byVerse = new Map<number, TopicOfVerse[]>();
  for (const [index, { name, sections, seeAlso }] of sorted.entries()) {
    const topic = index + 1;
    const entries = sections.flatMap(entriesOf);
    const entryOfVerse = new Map<number, number>();
    for (const [entry, { section, heading, text, references }] of entries.entries()) {
      const spans = references.map(({ first, last }) => [first, last]);
      insertEntry.run(topic, entry, section, heading, text, JSON.stringify(spans));
      for (const verse of references.flatMap(verses.within))
        if (!entryOfVerse.has(verse)) entryOfVerse.set(verse, entry);
    }
    const verseCount = entryOfVerse.size;
    for (const [verse, entry] of entryOfVerse) {
      const named = byVerse.get(verse) ?? [];
      named.push({ topic, entry, verseCount });
      byVerse.set(verse, named);
    }
    const seeAlsoNumbers = seeAlso.map((other) => numbers.get(other));
    insertTopic.run(topic, name, foldTopicName(name), verseCount, JSON.stringify(seeAlsoNumbers));
    insertWords.run(topic, foldedWords(name), sections.map(({ heading }) => foldedWords(heading ?? '')).join(' '));
  }
  writeVerseTopics(db, byVerse);
}

/** Returns the table rows of a section, one for each entry. A heading without entries gets an empty entry. */
const entriesOf = ({ heading, entries }: TopicSection, section: number) =>
  (entries.length > 0 ? entries : [{ text: null, references: [] }]).map((entry) => ({ section, heading, ...entry }));

const foldedWords = (text: string): string =>
  tokenize(text)
    .map(({ folded }) => folded)
    .join(' ');

/** Writes the topics of each verse, those that name the fewest verses first. */
function writeVerseTopics(db: Database, byVerse: ReadonlyMap<number, TopicOfVerse[]>): void {
  const insert = db.prepare('INSERT INTO verse_topic (verse, rank, topic, entry) VALUES (?, ?, ?, ?)');
  for (const [verse, named] of byVerse) {
    named.sort((a, b) => a.verseCount - b.verseCount || a.topic - b.topic);
    for (const [rank, { topic, entry }] of named.slice(0, maxPerVerse).entries()) insert.run(verse, rank, topic, entry);
  }
}
