import { createHash } from 'node:crypto';
import type { DerivedDraft, DerivedTranslation, DraftVerse, WordTag } from '@lectern/corpus';
import { readChecksummedFileManifest } from '@lectern/data-files';
import type { Note, TextBreak } from '@lectern/verse-layout';
import Database from 'better-sqlite3';
import { originalsFile, originalsKind } from '../tables';
import { greekText, hebrewText, type OriginalText } from '../texts';

/** The version of the code that makes the translations. It is increased when the result changes. */
const version = '1';

type Facts = Pick<DerivedDraft, 'abbrev' | 'languageName' | 'numbering'> & { readonly module: string };

const facts: readonly (readonly [OriginalText, Facts])[] = [
  [hebrewText, { abbrev: 'WLC', languageName: 'Ancient Hebrew', numbering: 'hebrew', module: 'morphhb' }],
  [greekText, { abbrev: 'SBLGNT', languageName: 'Ancient Greek', numbering: 'greek', module: 'morphgnt' }],
];

/**
 * The texts of originals.sqlite as translations, which are read and indexed like all others. Empty
 * without the file. Opens the file, but reads a text only when its translation is read.
 */
export function originalTranslations(dataDir: string): DerivedTranslation[] {
  const file = originalsFile(dataDir);
  const manifest = readChecksummedFileManifest(file, originalsKind, 'headers');
  if (!manifest) return [];
  const digest = createHash('sha256')
    .update(`${version} ${originalsKind.formatVersion} ${manifest.get('sources')}`)
    .digest('hex');
  const present = withDatabase(file, (db) => db.prepare<[], string>('SELECT id FROM text').pluck().all());
  return facts
    .filter(([{ id }]) => present.includes(id))
    .map(([text, known]) => ({
      identifier: text.id,
      digest,
      read: () => ({
        ...metadataOf(text, known, digest),
        verses: withDatabase(file, (db) => readVerses(db, text)),
      }),
    }));
}

function withDatabase<Result>(file: string, use: (db: Database.Database) => Result): Result {
  const db = new Database(file, { readonly: true });
  try {
    return use(db);
  } finally {
    db.close();
  }
}

function metadataOf(
  { id, title, edition, language, direction, licence: { attribution, ...licence } }: OriginalText,
  { module, ...known }: Facts,
  digest: string,
): Omit<DerivedDraft, 'verses'> {
  return {
    identifier: id,
    name: title,
    language,
    direction: direction === 'RIGHT_TO_LEFT' ? 'RTL' : 'LTR',
    note: attribution,
    licence,
    ...known,
    bookNames: new Map(),
    remarks: [],
    source: { format: 'originals', name: module, version: edition, digest },
  };
}

interface WordRow {
  number: number;
  ordinal: number;
  surface: string;
  lemma: string;
  strongs: string | null;
  before: string | null;
  after: string | null;
}

function readVerses(db: Database.Database, text: OriginalText): DraftVerse[] {
  const words = db.prepare<[number], WordRow>(
    `SELECT w.number, v.ordinal, replace(f.surface, '/', '') AS surface, l.text AS lemma, l.strongs, w.before, w.after
     FROM verse AS v CROSS JOIN word AS w ON w.number BETWEEN v.first_word AND v.first_word + v.words - 1
     CROSS JOIN form AS f ON f.number = w.form CROSS JOIN lemma AS l ON l.number = w.lemma
     WHERE v.text = ? ORDER BY w.number`,
  );
  const readings = db.prepare<[], { word: number; reading: string }>(
    `SELECT q.word, coalesce(group_concat(replace(f.surface, '/', ''), ' ' ORDER BY q.position), '') AS reading
     FROM qere AS q LEFT JOIN form AS f ON f.number = q.form GROUP BY q.word`,
  );
  const readingOf = new Map(readings.all().map(({ word, reading }) => [word, reading]));
  const verses: OpenVerse[] = [];
  let startsParagraph = false;
  let book = 0;
  for (const word of words.iterate(text.number)) {
    if (verses.at(-1)?.ordinal !== word.ordinal) {
      startsParagraph ||= text === hebrewText && Math.floor(word.ordinal / 1e6) !== book;
      book = Math.floor(word.ordinal / 1e6);
      verses.push({
        ordinal: word.ordinal,
        text: '',
        words: [],
        layout: { breaks: [], marks: [], notes: [], headings: [] },
      });
    }
    const verse = verses.at(-1);
    if (!verse) continue;
    if (startsParagraph) verse.layout.breaks.push({ kind: 'PARAGRAPH', start: verse.text.length, indent: 0 });
    addWord(verse, word, readingOf.get(word.number));
    startsParagraph = sectionLetter.test(word.after ?? '');
  }
  for (const verse of verses) verse.text = verse.text.trimEnd();
  return verses;
}

/** A letter that stands for a blank of the codex, between two sections. */
const sectionLetter = /\s*[פס]/;

interface OpenVerse extends DraftVerse {
  words: WordTag[];
  layout: { breaks: TextBreak[]; marks: []; notes: Note[]; headings: [] };
}

/**
 * Adds a word to a verse. `reading` is the text that is read in place of the word: '' if nothing is read, undefined if
 * the word is read as written.
 */
function addWord(verse: OpenVerse, { surface, lemma, strongs, before, after }: WordRow, reading?: string): void {
  verse.text += before ?? '';
  verse.words.push({
    start: verse.text.length,
    length: surface.length,
    strongs: strongs === null ? [] : [strongs],
    lemma,
  });
  verse.text += surface;
  const { notes } = verse.layout;
  if (reading !== undefined) {
    // The reading of several words stands at the first of them, and its note after the last.
    const [previous, last] = [verse.words.at(-2), notes.at(-1)];
    const continues = reading === '' && previous && last?.start === previous.start + previous.length;
    if (continues) notes[notes.length - 1] = { ...last, start: verse.text.length };
    else notes.push({ kind: 'TRANSLATION', start: verse.text.length, text: `Qere: ${reading || 'not read'}` });
  }
  verse.text += (after ?? ' ').replace(sectionLetter, '');
}
