import { join } from 'node:path';
import { isImportError, type OriginalSources } from '@lectern/corpus';
import type { Database } from 'better-sqlite3';
import { readOtherNumbers } from '../alignment/word-parts';
import { foldOriginal } from '../script/fold';
import { readAbbottSmith } from './abbott-smith';
import type { LexiconEntry } from './entry';
import { type LexicalIndex, readBrownDriverBriggs, readLexicalIndex, readStrongsHebrew } from './hebrew';
import { childrenOf, createLexiconReferences, readElements, type SpanKind, type TextSpan } from './rich-text';

/** The tables of the lexicons in originals.sqlite. */
export const lexiconTables = `
-- number: from 1, in the order of entry.ts and of the entries in each. content: JSON of packEntry.
CREATE TABLE lexicon_entry (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, content TEXT NOT NULL);
-- The Strong's numbers of entries. letter: as in lemma, or ''.
CREATE TABLE lexicon_number (
  strongs TEXT NOT NULL, letter TEXT NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (strongs, letter, entry)
) WITHOUT ROWID;
`;

/** What the lexicons' source files contain: their entries, and the data that finds the lemmas of the texts' words. */
export interface SourceLexicons {
  /** The entries of all lexicons, in the order of `lexicons`. */
  readonly entries: readonly LexiconEntry[];
  readonly hebrewIndex: LexicalIndex;
  /** The spellings of words in Strong's Greek dictionary, with their numbers such as `G26`. */
  readonly greekNumbers: readonly { readonly spelling: string; readonly number: string }[];
}

/** Logs a warning for a lexicon whose files are damaged or missing, and leaves it out. */
export async function readLexicons(sources: OriginalSources, log: (line: string) => void): Promise<SourceLexicons> {
  const read = async <Value>(
    title: string,
    folder: string | undefined,
    readFolder: (folder: string) => Promise<Value>,
  ) => {
    if (folder === undefined) return null;
    return readFolder(folder).catch((error: unknown) => {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing && !isImportError(error)) throw error;
      log(`warning: ${title} is not used: ${(error as Error).message}`);
      return null;
    });
  };
  const references = createLexiconReferences();
  const hebrew = sources.get('hebrewlexicon');
  const index = await read('the index of Brown, Driver and Briggs', hebrew, readLexicalIndex);
  const lexicons: [string, LexiconEntry[] | null][] = [
    [
      'Brown, Driver and Briggs',
      index &&
        (await read('Brown, Driver and Briggs', hebrew, (folder) => readBrownDriverBriggs(folder, index, references))),
    ],
    ["Strong's Hebrew dictionary", await read("Strong's Hebrew dictionary", hebrew, readStrongsHebrew)],
    [
      'Abbott-Smith',
      await read('Abbott-Smith', sources.get('abbott-smith'), (folder) => readAbbottSmith(folder, references)),
    ],
  ];
  for (const [title, entries] of lexicons) if (entries) log(`${title}: ${entries.length} entries`);
  return {
    entries: lexicons.flatMap(([, entries]) => entries ?? []),
    hebrewIndex: index ?? new Map(),
    greekNumbers: (await read("Strong's Greek dictionary", sources.get('sblgnt'), readGreekNumbers)) ?? [],
  };
}

async function readGreekNumbers(folder: string): Promise<SourceLexicons['greekNumbers']> {
  return (await readElements(join(folder, 'strongsgreek.xml'), 'entry')).flatMap((entry) => {
    const [greek] = childrenOf(entry, 'greek');
    return greek ? [{ spelling: greek.attribute('unicode'), number: `G${Number(entry.attribute('strongs'))}` }] : [];
  });
}

/** Writes the entries. A number that no entry has gets the entries of its lemmas, or of its spelling. */
export function writeLexicons(db: Database, { entries, greekNumbers }: SourceLexicons): void {
  const insert = db.prepare('INSERT INTO lexicon_entry (number, id, content) VALUES (?, ?, ?)');
  const insertNumber = db.prepare('INSERT OR IGNORE INTO lexicon_number (strongs, letter, entry) VALUES (?, ?, ?)');
  for (const [index, entry] of entries.entries()) {
    insert.run(index + 1, entry.id, packEntry(entry));
    for (const { number, letter } of entry.strongs) insertNumber.run(number, letter, index + 1);
  }
  const insertOther = db.prepare(
    `INSERT OR IGNORE INTO lexicon_number SELECT $number, '', n.entry FROM lemma AS l
     JOIN lexicon_number AS n ON n.strongs = l.strongs
     WHERE $lemma IN (l.text, l.strongs) AND $number NOT IN (SELECT strongs FROM lexicon_number)`,
  );
  for (const [lemma, others] of readOtherNumbers()) for (const { number } of others) insertOther.run({ number, lemma });
  const isKnown = db.prepare<[string], number>('SELECT 1 FROM lexicon_number WHERE strongs = ?').pluck();
  const byHeadword = new Map(entries.map(({ headword }, index) => [foldOriginal(headword), index + 1]));
  for (const { spelling, number } of greekNumbers) {
    const entry = byHeadword.get(foldOriginal(spelling));
    if (entry !== undefined && !isKnown.get(number)) insertNumber.run(number, '', entry);
  }
}

const kinds: readonly SpanKind[] = ['GLOSS', 'WORD', 'GRAMMAR', 'EMPHASIS', 'REFERENCE', 'LINK'];

type PackedSpan = [start: number, length: number, kind: number, ...rest: (string | number)[]];

/** Writes an entry as JSON. Each span is a list, which takes half the space of an object. */
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
