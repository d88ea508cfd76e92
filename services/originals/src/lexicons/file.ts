import { join } from 'node:path';
import type { OriginalSources } from '@lectern/corpus';
import { isImportError } from '@lectern/corpus';
import type { Database } from 'better-sqlite3';
import { readAbbottSmith } from './abbott-smith';
import type { LexiconEntry } from './entry';
import { readBrownDriverBriggs, readStrongsHebrew } from './hebrew';
import { createLexiconReferences } from './references';
import type { SpanKind, TextSpan } from './rich-text';

/** The tables of the lexicons in originals.sqlite. */
export const lexiconTables = `
-- number: from 1, in the order of lexicons.ts and of the entries in each. content: JSON of packEntry.
CREATE TABLE lexicon_entry (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL);
-- The Strong's numbers of entries. letter: as in lemma, or ''.
CREATE TABLE lexicon_number (
  strongs TEXT NOT NULL, letter TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (strongs, letter, entry)
) WITHOUT ROWID;
-- How many words of a lemma a book has, and how many have a form.
CREATE TABLE lemma_book (lemma INTEGER, book INTEGER, words INTEGER NOT NULL, PRIMARY KEY (lemma, book)) WITHOUT ROWID;
CREATE TABLE lemma_form (lemma INTEGER, form INTEGER, words INTEGER NOT NULL, PRIMARY KEY (lemma, form)) WITHOUT ROWID;
`;

/** Writes the lexicons that this machine has. A lexicon whose files are damaged or incomplete is left out with a warning. */
export async function writeLexicons(
  db: Database,
  sources: OriginalSources,
  log: (line: string) => void,
): Promise<void> {
  const insert = db.prepare('INSERT INTO lexicon_entry (number, id, content) VALUES (?, ?, ?)');
  const insertNumber = db.prepare('INSERT OR IGNORE INTO lexicon_number (strongs, letter, entry) VALUES (?, ?, ?)');
  let count = 0;
  const write = async (title: string, read: () => Promise<LexiconEntry[]>): Promise<void> => {
    const entries = await read().catch((error: unknown): LexiconEntry[] => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing && !isImportError(error)) throw error;
      log(`warning: ${title} is not used: ${(error as Error).message}`);
      return [];
    });
    for (const entry of entries) {
      insert.run(++count, entry.id, packEntry(entry));
      for (const { number, letter } of entry.strongs) insertNumber.run(number, letter, count);
    }
    log(`${title}: ${entries.length} entries`);
  };
  const [hebrewText, hebrew, greek] = [
    sources.get('morphhb'),
    sources.get('hebrewlexicon'),
    sources.get('abbott-smith'),
  ];
  const references = await createLexiconReferences(hebrewText ? join(hebrewText, 'VerseMap.xml') : null);
  if (hebrew) {
    await write('Brown, Driver and Briggs', () => readBrownDriverBriggs(hebrew, references));
    await write("Strong's Hebrew dictionary", () => readStrongsHebrew(hebrew));
  }
  if (greek) await write('Abbott-Smith', () => readAbbottSmith(join(greek, 'abbott-smith.tei_lemma.xml'), references));
  db.exec(`
    INSERT INTO lemma_book (lemma, book, words)
      SELECT w.lemma, v.ordinal / 1000000, count(*) FROM verse AS v
      JOIN word AS w ON w.number >= v.first_word AND w.number < v.first_word + v.words GROUP BY 1, 2;
    INSERT INTO lemma_form (lemma, form, words) SELECT lemma, form, count(*) FROM word GROUP BY 1, 2;
  `);
}

const kinds: readonly SpanKind[] = ['GLOSS', 'WORD', 'GRAMMAR', 'EMPHASIS', 'REFERENCE', 'LINK'];

type PackedSpan = [start: number, length: number, kind: number, ...rest: (string | number)[]];

/** Writes an entry as JSON, in which each span is a list: half as long as an object. */
const packEntry = (entry: LexiconEntry): string =>
  JSON.stringify(entry, (key, value) => (key === 'spans' ? (value as TextSpan[]).map(packSpan) : value));

const packSpan = ({ start, length, kind, language, entry, verses }: TextSpan): PackedSpan => {
  const rest = verses ? [verses.first, verses.last] : [language ?? '', ...(entry === undefined ? [] : [entry])];
  return [start, length, kinds.indexOf(kind), ...rest];
};

export const unpackEntry = (content: string): LexiconEntry =>
  JSON.parse(content, (key, value) => (key === 'spans' ? (value as PackedSpan[]).map(unpackSpan) : value));

function unpackSpan([start, length, number, one, two]: PackedSpan): TextSpan {
  const kind = kinds[number] ?? 'EMPHASIS';
  if (kind === 'REFERENCE') return { start, length, kind, verses: { first: Number(one), last: Number(two) } };
  return { start, length, kind, ...(one && { language: String(one) }), ...(two && { entry: String(two) }) };
}
