import type { StandardVerses, Topic, TopicalBible, TopicEntry, TopicSection } from '@lectern/reference-works';
import { tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { foldTopicName, maxPerVerse } from '../tables';

interface NumberedTopic extends Topic {
  readonly number: number;
  readonly verseCount: number;
}

/** Writes the topics, their entries, their words for the search, and the topics of each verse. */
export function writeTopics(db: Database, { topics }: TopicalBible, verses: StandardVerses): void {
  const sorted = [...topics].sort((a, b) => (a.name < b.name ? -1 : 1));
  const numbers = new Map(sorted.map(({ name }, index) => [name, index + 1]));
  const byVerse = new Map<number, { topic: NumberedTopic; entry: number }[]>();
  const insertTopic = db.prepare(
    'INSERT INTO topic (number, name, folded_name, verse_count, see_also) VALUES (?, ?, ?, ?, ?)',
  );
  const insertWords = db.prepare('INSERT INTO topic_words (rowid, name, headings) VALUES (?, ?, ?)');
  const insertEntries = prepareEntries(db);
  for (const topic of sorted) {
    const number = numbers.get(topic.name) ?? 0;
    const entries = topic.sections.flatMap(entriesOf);
    const entryOfVerse = new Map<number, number>();
    for (const [index, { references }] of entries.entries())
      for (const verse of references.flatMap(verses.within))
        if (!entryOfVerse.has(verse)) entryOfVerse.set(verse, index);
    const numbered = { ...topic, number, verseCount: entryOfVerse.size };
    for (const [verse, entry] of entryOfVerse) {
      const named = byVerse.get(verse) ?? [];
      named.push({ topic: numbered, entry });
      byVerse.set(verse, named);
    }
    const seeAlso = topic.seeAlso.map((name) => numbers.get(name));
    insertTopic.run(number, topic.name, foldTopicName(topic.name), entryOfVerse.size, JSON.stringify(seeAlso));
    insertWords.run(
      number,
      foldedWords(topic.name),
      topic.sections.map(({ heading }) => foldedWords(heading ?? '')).join(' '),
    );
    insertEntries(number, topic);
  }
  writeVerseTopics(db, byVerse);
}

/** An empty entry stores a heading without entries. */
const entriesOf = ({ entries }: TopicSection): readonly TopicEntry[] =>
  entries.length > 0 ? entries : [{ text: null, references: [] }];

const foldedWords = (text: string): string =>
  tokenize(text)
    .map(({ folded }) => folded)
    .join(' ');

function prepareEntries(db: Database) {
  const insert = db.prepare(
    'INSERT INTO topic_entry (topic, number, section, heading, text, spans) VALUES (?, ?, ?, ?, ?, ?)',
  );
  return (topic: number, { sections }: Topic): void => {
    let number = 0;
    for (const [section, { heading, entries }] of sections.entries())
      for (const { text, references } of entriesOf({ heading, entries })) {
        insert.run(
          topic,
          number,
          section,
          heading,
          text,
          JSON.stringify(references.map(({ first, last }) => [first, last])),
        );
        number += 1;
      }
  };
}

/** Writes the topics of each verse. Topics that name the fewest verses come first. */
function writeVerseTopics(
  db: Database,
  byVerse: ReadonlyMap<number, readonly { topic: NumberedTopic; entry: number }[]>,
): void {
  const insert = db.prepare('INSERT INTO verse_topic (verse, rank, topic, entry) VALUES (?, ?, ?, ?)');
  for (const [verse, named] of byVerse) {
    const ranked = [...named].sort(
      (a, b) => a.topic.verseCount - b.topic.verseCount || a.topic.number - b.topic.number,
    );
    for (const [rank, { topic, entry }] of ranked.slice(0, maxPerVerse).entries())
      insert.run(verse, rank, topic.number, entry);
  }
}
