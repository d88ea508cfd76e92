import type { CommentaryNote, StandardVerses } from '@lectern/reference-works';
import type { Database } from 'better-sqlite3';
import { maxPerVerse } from '../study-sqlite-tables-and-versions';

/**
 * Creates a function that writes the notes of a commentary. The function ranks the notes on each
 * verse: notes that explain the fewest verses come first, ties in the order of the commentary.
 */
export function createNoteWriter(db: Database, verses: StandardVerses) {
  const insertNote = db.prepare(
    'INSERT INTO note (number, source, first, last, heading, text, spans) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertOfVerse = db.prepare('INSERT INTO verse_note (verse, rank, source, note) VALUES (?, ?, ?, ?)');
  const updateSource = db.prepare('UPDATE source SET note_count = ? WHERE number = ?');
  let number = 0;
  return (notes: readonly CommentaryNote[], source: number): void => {
    const byVerse = new Map<number, { number: number; count: number }[]>();
    for (const { span, heading, text, references } of notes) {
      number += 1;
      const spans = references.flatMap(({ start, length, spans: targets }) =>
        targets.map(({ first, last }) => [start, length, first, last]),
      );
      insertNote.run(number, source, span.first, span.last, heading, text, JSON.stringify(spans));
      for (const verse of verses.within(span)) {
        const others = byVerse.get(verse) ?? [];
        others.push({ number, count: verses.count(span) });
        byVerse.set(verse, others);
      }
    }
    updateSource.run(notes.length, source);
    for (const [verse, found] of byVerse) {
      const ranked = found.sort((a, b) => a.count - b.count || a.number - b.number).slice(0, maxPerVerse);
      for (const [rank, note] of ranked.entries()) insertOfVerse.run(verse, rank, source, note.number);
    }
  };
}
