import { createHash } from 'node:crypto';
import type { DerivedDraft, DerivedTranslation, DraftVerse, WordTag } from '@lectern/corpus';
import { readChecksummedFileManifest } from '@lectern/data-files';
import type { Note, TextBreak } from '@lectern/verse-layout';
import Database from 'better-sqlite3';
import { createOriginalsReader, type OriginalWord } from '../reader';
import { originalsFile, originalsKind } from '../tables';
import { greekText, hebrewText, type OriginalText } from '../texts';
import { withoutSeams } from '../word-resolvers';

/** The version of this code. Increase it when the translations that the code makes change. */
const version = '1';

type Facts = Pick<DerivedDraft, 'abbrev' | 'languageName' | 'numbering'> & { readonly module: string };

const facts: readonly (readonly [OriginalText, Facts])[] = [
  [hebrewText, { abbrev: 'WLC', languageName: 'Ancient Hebrew', numbering: 'hebrew', module: 'morphhb' }],
  [greekText, { abbrev: 'SBLGNT', languageName: 'Ancient Greek', numbering: 'greek', module: 'morphgnt' }],
];

/**
 * Returns the texts of originals.sqlite in the form of translations, so that they are read and indexed like all
 * others. Returns none if the file is missing. Opens the file, but reads a text only when its translation is read.
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

function readVerses(db: Database.Database, text: OriginalText): DraftVerse[] {
  const reader = createOriginalsReader(db);
  const verses: OpenVerse[] = [];
  let startsParagraph = false;
  let book = '';
  for (let number = 1; number <= reader.verseCount; number += 1) {
    const original = reader.verseAt(number);
    if (original.text !== text) continue;
    startsParagraph ||= text === hebrewText && original.book !== book;
    book = original.book;
    const verse: OpenVerse = {
      ordinal: reader.ordinal(number),
      text: '',
      words: [],
      layout: { breaks: [], marks: [], notes: [], headings: [] },
    };
    for (const word of reader.words(original)) {
      if (startsParagraph) verse.layout.breaks.push({ kind: 'PARAGRAPH', start: verse.text.length, indent: 0 });
      addWord(verse, word, word.qere?.map(({ form }) => withoutSeams(reader.forms.spelling(form).surface)).join(' '));
      startsParagraph = sectionLetter.test(word.after);
    }
    verse.text = verse.text.trimEnd();
    verses.push(verse);
  }
  return verses;
}

/** Matches a Hebrew letter that marks the gap between two sections of the manuscript. */
const sectionLetter = /(?<!\s)\s*[פס]/;

interface OpenVerse extends DraftVerse {
  words: WordTag[];
  layout: { breaks: TextBreak[]; marks: []; notes: Note[]; headings: [] };
}

/**
 * Adds a word to a verse. `reading` is the text that is read aloud in its place (qere): '' if the word is skipped,
 * undefined if it is read as written.
 */
function addWord(verse: OpenVerse, word: OriginalWord, reading?: string): void {
  const { lemma, strongs, before, after } = word;
  const surface = withoutSeams(word.surface);
  verse.text += before;
  verse.words.push({
    start: verse.text.length,
    length: surface.length,
    strongs: strongs === null ? [] : [strongs],
    lemma,
  });
  verse.text += surface;
  const { notes } = verse.layout;
  if (reading !== undefined) {
    // If a reading replaces several words, only the first of them has it, and the others have ''. Its note moves to the
    // last of these words.
    const [previous, last] = [verse.words.at(-2), notes.at(-1)];
    const continues = reading === '' && previous && last?.start === previous.start + previous.length;
    if (continues) notes[notes.length - 1] = { ...last, start: verse.text.length };
    else notes.push({ kind: 'TRANSLATION', start: verse.text.length, text: `Qere: ${reading || 'not read'}` });
  }
  verse.text += after.replace(sectionLetter, '');
}
