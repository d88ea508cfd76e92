import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bookByCode, books, isBookCode, type Place, verseOrdinal } from '@lectern/canon';
import { codeOfOsisBook, readAttribute, tokenizeMarkup } from '@lectern/corpus';

/** A word with its lemma and parsing code as the source file writes them. */
export interface SourceWord {
  readonly surface: string;
  readonly lemma: string;
  readonly code: string;
}

export interface VerseWord extends SourceWord {
  before: string;
  /** The punctuation and white space between the word and the next word. */
  after: string;
  /** The words read aloud in place of this word (qere). Empty if it is skipped. Null if it is read as written. */
  qere: SourceWord[] | null;
}

export interface SourceVerse extends Place {
  /** The file and the verse of the word, for error messages. */
  readonly place: string;
  readonly words: VerseWord[];
}

/** Reads OSIS in canonical order. Throws an Error if a file is cut off, not OSIS, or not of a book of the Bible. */
export function* readHebrewVerses(folder: string): Generator<SourceVerse> {
  const names = readdirSync(folder).filter((each) => each.endsWith('.xml') && each !== 'VerseMap.xml');
  for (const name of names.sort((a, b) => positionOf(a) - positionOf(b))) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    if (!/<\/osis>\s*$/.test(text)) throw new Error(`${file} is cut off, or is not an OSIS file`);
    yield* [...readBook(text, file)].sort((a, b) => verseOrdinal(a) - verseOrdinal(b));
  }
}

/** Returns the position of a book's file. Unknown names come first, so that the reader rejects them at once. */
function positionOf(name: string): number {
  const code = codeOfOsisBook(name.slice(0, -'.xml'.length));
  return isBookCode(code) ? bookByCode(code).position : 0;
}

function* readBook(osis: string, file: string): Generator<SourceVerse> {
  let verse: SourceVerse | null = null;
  let word: { lemma: string; code: string; surface: string } | null = null;
  /**
   * The current note: the words to which it belongs, and those read in their place. Only notes on variants are used.
   */
  let note: { isVariant: boolean; catchWord: string; reading: SourceWord[] | null; inCatchWord: boolean } | null = null;
  for (const { kind, name, text, attributes } of tokenizeMarkup(osis)) {
    const isStart = kind === 'open' || kind === 'empty';
    if (name === 'verse' && isStart) verse = startVerse(readAttribute(attributes, 'osisID'), file);
    if (!verse) continue;
    const last = verse.words.at(-1);
    if (name === 'verse' && kind === 'close') {
      yield verse;
      verse = null;
    } else if (name === 'note') {
      if (note?.isVariant && kind === 'close') applyQere(verse, note.catchWord, note.reading ?? []);
      note =
        kind === 'open'
          ? {
              isVariant: readAttribute(attributes, 'type') === 'variant',
              catchWord: '',
              reading: null,
              inCatchWord: false,
            }
          : null;
    } else if (name === 'catchWord') {
      if (note) note.inCatchWord = kind === 'open';
    } else if (name === 'w') {
      if (isStart)
        word = { lemma: readAttribute(attributes, 'lemma'), code: readAttribute(attributes, 'morph'), surface: '' };
      else if (word) {
        const { lemma, code } = word;
        const read = { surface: word.surface.normalize('NFC'), lemma, code };
        if (note) (note.reading ??= []).push(read);
        else verse.words.push({ ...read, before: '', after: '', qere: null });
        word = null;
      }
    } else if (kind === 'text') {
      if (word) word.surface += text.trim();
      else if (note?.inCatchWord) note.catchWord += text;
      else if (!note && last) last.after = (last.after + text).replace(/\s+/g, ' ');
    }
  }
}

function startVerse(osisId: string, file: string): SourceVerse {
  const [book = '', chapter, verse] = osisId.split('.');
  const code = codeOfOsisBook(book);
  if (!isBookCode(code) || !(Number(chapter) > 0) || !(Number(verse) > 0))
    throw new Error(`${file} has the verse '${osisId}', which is none of the Bible`);
  return { book: code, chapter: Number(chapter), verse: Number(verse), place: `${file}, ${osisId}`, words: [] };
}

/** Applies corrections.tsv. A correction is left out if the source, such as a newer release, lacks the error. */
export function createCorrections() {
  const ofVerse = new Map<string, { word: number; field: string; source: string; correction: string }[]>();
  const lines = readFileSync(join(__dirname, '..', '..', 'corrections.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
  for (const line of lines) {
    const [verse = '', word, , field = '', source = '', correction = ''] = line.split('\t');
    ofVerse.set(verse, [...(ofVerse.get(verse) ?? []), { word: Number(word), field, source, correction }]);
  }
  /** Applies the corrections of a verse. Returns how many it applied. */
  return ({ book, chapter, verse, words }: SourceVerse): number => {
    let count = 0;
    for (const { word: position, field, source, correction } of ofVerse.get(`${book} ${chapter}:${verse}`) ?? []) {
      const word = words[position - 1];
      if (word?.[field as keyof SourceWord] !== source) continue;
      words[position - 1] = { ...word, [field]: correction };
      count += 1;
    }
    return count;
  };
}

/** Assigns a reading from the margin to the words that it replaces, which are the last ones in `words`. */
function applyQere({ words, place }: SourceVerse, catchWord: string, reading: SourceWord[]): void {
  const count = catchWord.split(/\s+/).filter((each) => each !== '').length;
  const replaced = words.slice(words.length - Math.max(count, 1));
  const [first] = replaced;
  if (!first) throw new Error(`${place} begins with a reading of the margin`);
  // If the reading replaces no word, it is read after the previous word, so it is added to that word.
  first.qere = count === 0 ? [...(first.qere ?? [first]), ...reading] : reading;
  for (const word of replaced.slice(1)) word.qere = [];
}

/** Matches the signs in MorphGNT's text that refer to its critical apparatus. They are not punctuation. */
const apparatus = /[⸀⸁⸂⸃⸄⸅]\d?/g;

/** Reads MorphGNT: seven columns a line for each word. Throws an Error that names the first line in another format. */
export function* readGreekVerses(folder: string): Generator<SourceVerse> {
  for (const name of readdirSync(folder)
    .filter((each) => /^\d.*-morphgnt\.txt$/.test(each))
    .sort()) {
    const file = join(folder, name);
    let verse: SourceVerse | null = null;
    let verseKey = '';
    for (const [index, line] of readFileSync(file, 'utf8').trimEnd().split('\n').entries()) {
      const [key = '', partOfSpeech, letters, text, surface, , lemma, ...more] = line.split(' ');
      const place = placeOfKey(key);
      if (!place || !text || !surface || !lemma || more.length > 0 || !text.includes(surface))
        throw new Error(`${file}, line ${index + 1} is cut off, or is not a line of MorphGNT`);
      if (!verse || key !== verseKey) {
        if (verse) yield verse;
        verseKey = key;
        verse = { ...place, place: `${file}, line ${index + 1}`, words: [] };
      }
      const start = text.indexOf(surface);
      verse.words.push({
        surface: surface.normalize('NFC'),
        lemma: lemma.normalize('NFC'),
        code: `${partOfSpeech} ${letters}`,
        before: text.slice(0, start).replace(apparatus, ''),
        after: `${text.slice(start + surface.length).replace(apparatus, '')} `,
        qere: null,
      });
    }
    if (verse) yield verse;
  }
}

/** Reads a place such as 010102: book 1 of the New Testament, chapter 1, verse 2. */
function placeOfKey(key: string): Place | null {
  const [, book, chapter, verse] = /^(\d\d)(\d\d)(\d\d)$/.exec(key) ?? [];
  const code = books[Number(book) + 38]?.code;
  return code && book !== '00' ? { book: code, chapter: Number(chapter), verse: Number(verse) } : null;
}
