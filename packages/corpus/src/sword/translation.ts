import { type BookCode, bookByCode, isBookCode, type Place, verseOrdinal } from '@lectern/canon';
import type { NoteKind, VerseLayout } from '@lectern/verse-layout';
import { readOsisEntry } from '../markup/osis';
import type { MarkupOptions } from '../markup/reader';
import { decodeEntities } from '../markup/tokens';
import { createVerseTextBuilder, type PendingLayout, sliceLayout, type VerseText } from '../markup/verse';
import { type DraftTranslation, type DraftVerse, omissionRemarks, type TranslationMetadata } from '../translation';
import { openModule, type SwordEntry, type SwordModule } from './module';

/** Imports a module. Throws an ImportError if the module cannot be read. */
export const importModule = (confFile: string, metadata: TranslationMetadata): DraftTranslation => ({
  ...metadata,
  ...readVerses(confFile),
});

/**
 * Reads the printed notes of a module with the standard numbering. Throws an ImportError if it
 * cannot be read.
 */
export const readModuleNotes = (confFile: string): { ordinal: number; kind: NoteKind; text: string }[] =>
  readVerses(confFile).verses.flatMap(({ ordinal, layout }) =>
    layout.notes.map(({ kind, text }) => ({ ordinal, kind, text })),
  );

function readVerses(confFile: string): Omit<DraftTranslation, keyof TranslationMetadata> {
  const module = openModule(confFile);
  const { conf } = module;
  const repairs = repairsFor(conf.module);
  const options: MarkupOptions = {
    tags: repairs.tagsTrusted,
    joins: repairs.joins,
    raiseDivineName: writesSmallCapitals(module),
  };
  const bookNames = new Map<BookCode, string>();
  const verses: DraftVerse[] = [];
  const remarks: string[] = [];
  const otherBooks = new Set<string>();
  let skippedVerses = 0;
  let emptyNumbers = 0;
  /** Breaks and headings that stand before the next verse. */
  let pending: PendingLayout | undefined;

  for (const entry of module.entries()) {
    const { code } = entry;
    if (entry.chapter === 0) pending = undefined;
    if (!isBookCode(code)) {
      if (entry.verse > 0 && readEntry(module, entry, options).text !== '') {
        skippedVerses += 1;
        otherBooks.add(code);
      }
      continue;
    }
    if (entry.chapter === 0) {
      const name = bookName(entry.text);
      if (name) bookNames.set(code, name);
    }
    if (entry.verse > 0 && entry.repeated) {
      emptyNumbers += 1;
      continue;
    }
    const read = readEntry(module, correct(entry, repairs), options, pending);
    ({ pending } = read);
    if (read.text === '' && entry.verse > 0) addNotes(verses.at(-1), read.layout.notes);
    // The introduction of a book and the heading of a chapter are not verses.
    if (read.text === '' || entry.verse === 0) continue;
    verses.push(...versesOfEntry({ book: code, chapter: entry.chapter, verse: entry.verse }, read, repairs, remarks));
  }
  return {
    bookNames,
    verses,
    remarks: [...remarks, ...omissionRemarks(skippedVerses, [...otherBooks], emptyNumbers)],
    source: { format: 'SWORD', name: conf.module, version: conf.get('Version') || null, digest: module.digest },
  };
}

/**
 * Returns the verse of an entry and the verses hidden in its text. Adds a remark if known ones are
 * not found.
 */
function versesOfEntry(place: Place, read: VerseText, repairs: ModuleRepairs, remarks: string[]): DraftVerse[] {
  const { book, chapter, verse } = place;
  const hidden = repairs.hidden.filter(
    (each) => each.book === book && each.chapter === chapter && each.inside === verse,
  );
  const { text, words, layout } = read;
  const separated = separateHiddenVerses({ ordinal: verseOrdinal(place), text, words, layout }, hidden);
  if (hidden.length > 0 && separated.length === 1)
    remarks.push(
      `the text of ${book} ${chapter}:${verse} lacks the later verses that the module is known to store there`,
    );
  return separated;
}

/**
 * Adds the notes on a verse without text, such as "Some manuscripts add ...", to the end of the
 * verse before.
 */
function addNotes(verse: DraftVerse | undefined, notes: VerseLayout['notes']): void {
  if (!verse || notes.length === 0) return;
  const added = notes.map((note) => ({ ...note, start: verse.text.length }));
  verse.layout = { ...verse.layout, notes: [...verse.layout.notes, ...added] };
}

/** Corrects the known typing error of an entry, if the entry has such an error. */
function correct(entry: SwordEntry, { corrections }: ModuleRepairs): SwordEntry {
  const correction = corrections.find(
    ({ book, chapter, verse }) => book === entry.code && chapter === entry.chapter && verse === entry.verse,
  );
  if (!correction) return entry;
  return { ...entry, text: entry.text.replace(correction.found, correction.replacement) };
}

function readEntry(
  module: SwordModule,
  entry: SwordEntry,
  options: MarkupOptions,
  pending?: PendingLayout,
): VerseText & { pending?: PendingLayout } {
  if (module.sourceType === 'OSIS')
    return readOsisEntry(entry.chapter === 0 ? ownIntroduction(entry.text) : entry.text, options, pending);
  const reading = createVerseTextBuilder();
  reading.write(entry.text);
  return reading.finish();
}

/**
 * Leaves out the preface or the apocryphal book that the module stores before the introduction of a
 * book.
 */
function ownIntroduction(introduction: string): string {
  const starts = [...introduction.matchAll(/<div [^>]*\bsID=[^>]*type="book"/g)];
  return introduction.slice(starts.at(-1)?.index ?? 0);
}

/**
 * Separates a verse from the hidden verses in its text, by their first words. Returns the verse as
 * it is if these are not found in the expected order.
 */
function separateHiddenVerses(verse: DraftVerse, hidden: readonly HiddenVerse[]): DraftVerse[] {
  const starts = hidden.map(({ begins }) => verse.text.indexOf(begins));
  if (hidden.length === 0 || starts.some((start, index) => start <= (starts[index - 1] ?? 0))) return [verse];
  const bounds = [0, ...starts];
  return [verse.ordinal, ...hidden.map(verseOrdinal)].map((ordinal, index) => {
    const start = bounds[index] ?? 0;
    const end = bounds[index + 1] ?? verse.text.length;
    const words = verse.words.filter((word) => word.start >= start && word.start + word.length <= end);
    const text = verse.text.slice(start, end).trimEnd();
    return {
      ordinal,
      text,
      words: words.map((word) => ({ ...word, start: word.start - start })),
      layout: sliceLayout(verse.layout, start, start + text.length),
    };
  });
}

/**
 * Finds the book's name in its introduction, where osis2mod stores the titles as milestones, or
 * returns null.
 */
function bookName(introduction: string): string | null {
  for (const type of ['x-usfm-h', 'x-usfm-toc2', 'x-usfm-toc1']) {
    const milestone = new RegExp(`<milestone [^>]*type="${type}"[^>]*>`).exec(introduction)?.[0] ?? '';
    const name = decodeEntities(/\bn="([^"]*)"/.exec(milestone)?.[1] ?? '').trim();
    if (name) return name;
  }
  return null;
}

/**
 * Returns true if most places of the module have the divine name as "Lord", which expects a page
 * with small capitals. The importer then writes "LORD".
 */
function writesSmallCapitals(module: SwordModule): boolean {
  if (module.sourceType !== 'OSIS') return false;
  let capitalCount = 0;
  let smallCount = 0;
  for (const { code, text } of module.entries()) {
    if (!bookByCode(code)) continue;
    for (const match of text.matchAll(/<divineName[^>]*>(?:<[^>]*>)*(\p{Lu}[\p{Lu}\p{Ll}])/gu)) {
      if (/\p{Ll}$/u.test(match[1] ?? '')) smallCount += 1;
      else capitalCount += 1;
    }
  }
  return smallCount > capitalCount;
}

/** A verse whose text a module stores at the end of the text of an earlier verse. */
interface HiddenVerse {
  book: BookCode;
  chapter: number;
  verse: number;
  /** The number of the earlier verse. */
  inside: number;
  /** The first words of the hidden verse. */
  begins: string;
}

/** A typing error in a module. */
interface TextCorrection {
  book: BookCode;
  chapter: number;
  verse: number;
  found: string;
  replacement: string;
}

/** The known errors of one module that cannot be detected from its markup. */
interface ModuleRepairs {
  /** Whether the module's Strong's tags are used. False if the tags are known to be wrong. */
  tagsTrusted: boolean;
  hidden: readonly HiddenVerse[];
  corrections: readonly TextCorrection[];
  /** Decides whether an addition belongs to the word before it, as in `MarkupOptions.joins`. */
  joins?: (before: string, addition: string) => boolean;
}

const noRepairs: ModuleRepairs = { tagsTrusted: true, hidden: [], corrections: [] };

/**
 * Matches pronouns that Spanish appends to verbs. The module spaRV1909eb marks translators'
 * additions even inside a word: "Júrame" + "lo" is one word, "Júramelo". After a word that is not a
 * verb, the pronoun is a separate word: "Josué" + "los circuncidó".
 */
const pronoun = /^(?:la|las|le|les|lo|los|me|nos|os|se|te)(?: aún)?$/;
/** The words in this module that stand before such a pronoun and are not verbs. */
const nonVerbs = new Set(['como', 'cuánto', 'dios', 'ellos', 'gentes', 'jehová', 'josué', 'no', 'os', 'que', 'y']);

const byModule: Readonly<Record<string, ModuleRepairs>> = {
  // The tags of the World English Bible belong to other verses in about 1,300 places, because they
  // follow the Hebrew verse numbers. The versification NRSVA has no slots for ROM 14:24-26, so the
  // module stores these three verses after verse 23, without a break between them.
  engWEB2015eb: {
    tagsTrusted: false,
    hidden: [
      { book: 'ROM', chapter: 14, verse: 24, inside: 23, begins: 'Now to him who is able' },
      { book: 'ROM', chapter: 14, verse: 25, inside: 23, begins: 'but now is revealed' },
      { book: 'ROM', chapter: 14, verse: 26, inside: 23, begins: 'to the only wise God' },
    ],
    corrections: [],
  },
  spaRV1909eb: {
    ...noRepairs,
    corrections: [{ book: 'JOB', chapter: 32, verse: 2, found: ',,', replacement: ',' }],
    joins: (before, addition) => pronoun.test(addition) && !nonVerbs.has(before.toLowerCase()),
  },
};

/** Returns the repairs of a module. The repairs are empty if the module is not known. */
const repairsFor = (module: string): ModuleRepairs => byModule[module] ?? noRepairs;
