import { type BookCode, formatPlace, isBookCode, isDeuterocanonical, verseOrdinal } from '@lectern/canon';
import type { NoteKind } from '@lectern/verse-layout';
import type { MarkupOptions } from '../markup/reader';
import { readSwordEntry } from '../markup/sword-entry';
import { readAttribute, tokenizeMarkup } from '../markup/tokens';
import { addAtEnd, type PendingLayout, sliceVerse } from '../markup/verse-builder';
import {
  type DraftTranslation,
  type DraftVerse,
  omissionRemarks,
  type Position,
  type TranslationMetadata,
  type VerseText,
} from '../translation';
import { openModule, type SwordEntry, type SwordModule } from './module';

/** Imports a module, by default without the deuterocanonical books. Throws an ImportError if it cannot be read. */
export const importModule = (
  confFile: string,
  metadata: TranslationMetadata,
  deuterocanon = false,
): DraftTranslation => ({
  ...metadata,
  ...readVerses(confFile, deuterocanon),
});

/** Reads the printed notes of a module with the standard numbering. Throws an ImportError if this fails. */
export const readModuleNotes = (confFile: string): { ordinal: number; kind: NoteKind; text: string }[] =>
  readVerses(confFile, false).verses.flatMap(({ ordinal, layout }) =>
    layout.notes.map(({ kind, text }) => ({ ordinal, kind, text })),
  );

function readVerses(confFile: string, deuterocanon: boolean): Omit<DraftTranslation, keyof TranslationMetadata> {
  const isKept = (code: string): code is BookCode => isBookCode(code) && (deuterocanon || !isDeuterocanonical(code));
  const module = openModule(confFile);
  const { conf } = module;
  const repairs = repairsFor(conf.module);
  const options: MarkupOptions = {
    tags: repairs.tagsTrusted,
    joins: repairs.joins,
    raiseDivineName: writesSmallCapitals(module, isKept),
  };
  const bookNames = new Map<BookCode, string>();
  const verses: DraftVerse[] = [];
  const remarks: string[] = [];
  const positions = new Map<number, Position>();
  const leftOut = new Set<string>();
  let skippedVerses = 0;
  let emptyNumbers = 0;
  let pending: PendingLayout | undefined;

  for (const entry of module.entries()) {
    const { code, chapter, verse } = entry;
    if (chapter === 0) pending = undefined;
    if (!isKept(code)) {
      if (verse > 0 && readEntry(module, entry, options).text !== '') {
        skippedVerses += 1;
        leftOut.add(code);
      }
      continue;
    }
    const name = chapter === 0 ? bookName(entry.text) : null;
    if (name) bookNames.set(code, name);
    if (verse > 0) positions.set(verseOrdinal({ book: code, chapter, verse }), { file: confFile, line: null });
    if (verse > 0 && entry.repeated) {
      emptyNumbers += 1;
      const before = verses.at(-1);
      if (before && nextOrdinal(before) === verseOrdinal({ book: code, chapter, verse })) before.last = verse;
      continue;
    }
    const read = readEntry(module, correct(entry, repairs), options, pending);
    ({ pending } = read);
    // Verse 0 is the introduction of a book or the heading of a chapter.
    if (verse === 0) continue;
    if (read.text === '') addAtEnd(verses.at(-1), { notes: read.layout.notes });
    else verses.push(...separateHiddenVerses({ ...entry, code }, read, repairs, remarks));
  }
  return {
    bookNames,
    // Sorted, because modules have the deuterocanonical books at the end of a testament.
    verses: deuterocanon ? verses.sort((a, b) => a.ordinal - b.ordinal) : verses,
    remarks: [...remarks, ...omissionRemarks(skippedVerses, [...leftOut], emptyNumbers)],
    findings: [],
    positions,
    source: { format: 'SWORD', name: conf.module, version: conf.get('Version') || null, digest: module.digest },
  };
}

function correct(entry: SwordEntry, { corrections = [] }: ModuleRepairs): SwordEntry {
  const correction = corrections.find(
    ({ book, chapter, verse }) => book === entry.code && chapter === entry.chapter && verse === entry.verse,
  );
  return correction ? { ...entry, text: entry.text.replace(correction.found, correction.replacement) } : entry;
}

function readEntry(
  { sourceType }: SwordModule,
  { chapter, text }: SwordEntry,
  options: MarkupOptions,
  pending?: PendingLayout,
): VerseText & { pending: PendingLayout } {
  const own = sourceType === 'OSIS' && chapter === 0 ? ownIntroduction(text) : text;
  return readSwordEntry(own, sourceType, options, pending);
}

const nextOrdinal = ({ ordinal, last }: DraftVerse): number =>
  last === undefined ? ordinal + 1 : ordinal - (ordinal % 1_000) + last + 1;

/** Returns a book's introduction without the preface or apocryphal book that some modules store before it. */
function ownIntroduction(introduction: string): string {
  const tags = [...introduction.matchAll(/<div [^>]*/g)];
  const start = tags.findLast(([tag]) => {
    const id = tag.search(/\bsID=/);
    return id >= 0 && tag.includes('type="book"', id);
  });
  return introduction.slice(start?.index ?? 0);
}

/** Separates hidden verses by their first words. If these are not found, adds a remark and changes nothing. */
function separateHiddenVerses(
  { code: book, chapter, verse }: SwordEntry & { code: BookCode },
  { text, words, layout }: VerseText,
  { hidden: known = [] }: ModuleRepairs,
  remarks: string[],
): DraftVerse[] {
  const own = { ordinal: verseOrdinal({ book, chapter, verse }), text, words, layout };
  const hidden = known.filter((each) => each.book === book && each.chapter === chapter && each.inside === verse);
  if (hidden.length === 0) return [own];
  const starts = [0, ...hidden.map(({ begins }) => text.indexOf(begins))];
  if (starts.some((start, index) => index > 0 && start <= (starts[index - 1] ?? 0))) {
    remarks.push(
      `the text of ${formatPlace({ book, chapter, verse })} lacks the later verses that the module is known to store there`,
    );
    return [own];
  }
  return [own.ordinal, ...hidden.map(verseOrdinal)].map((ordinal, index) => ({
    ordinal,
    ...sliceVerse(own, starts[index] ?? 0, starts[index + 1]),
  }));
}

/** Finds the book's name in its introduction, where osis2mod stores the titles as milestones. */
function bookName(introduction: string): string | null {
  const milestones = tokenizeMarkup(introduction).filter(({ name }) => name === 'milestone');
  for (const type of ['x-usfm-h', 'x-usfm-toc2', 'x-usfm-toc1']) {
    const milestone = milestones.find(({ attributes }) => readAttribute(attributes, 'type') === type);
    const name = readAttribute(milestone?.attributes ?? '', 'n').trim();
    if (name) return name;
  }
  return null;
}

/** Returns whether the module mostly writes the divine name as "Lord", for pages with small capitals. */
function writesSmallCapitals(module: SwordModule, isKept: (code: string) => boolean): boolean {
  if (module.sourceType !== 'OSIS') return false;
  let balance = 0;
  for (const { code, text } of module.entries()) {
    if (!isKept(code)) continue;
    for (const match of text.matchAll(/<divineName[^<>]*>(?:<[^<>]*>){0,10}\p{Lu}([\p{Lu}\p{Ll}])/gu))
      balance += /\p{Ll}/u.test(match[1] ?? '') ? 1 : -1;
  }
  return balance > 0;
}

/** A verse whose text the module stores at the end of an earlier verse. */
interface HiddenVerse {
  book: BookCode;
  chapter: number;
  verse: number;
  inside: number;
  begins: string;
}

/** The known errors of one module that the import cannot detect by itself. */
interface ModuleRepairs {
  /** Whether the module's Strong's tags are used. False if they are known to be wrong. */
  tagsTrusted: boolean;
  hidden?: readonly HiddenVerse[];
  corrections?: readonly { book: BookCode; chapter: number; verse: number; found: string; replacement: string }[];
  /** Returns whether an added word belongs to the word before it, like `MarkupOptions.joins`. */
  joins?: (before: string, addition: string) => boolean;
}

const noRepairs: ModuleRepairs = { tagsTrusted: true };

/** Matches pronouns that spaRV1909eb marks as added after their verb: "Júrame" + "lo" is one word. */
const pronoun = /^(?:la|las|le|les|lo|los|me|nos|os|se|te)(?: aún)?$/;
/** Words of this module that such a pronoun may follow although they are not verbs. They are not joined. */
const nonVerbs = new Set('como cuánto dios ellos gentes jehová josué no os que y'.split(' '));

const byModule: Readonly<Record<string, ModuleRepairs>> = {
  // About 1,300 verses of the World English Bible have another verse's tags, which follow Hebrew numbers. NRSVA lacks
  // slots for ROM 14:24-26, so the module stores these after verse 23.
  engWEB2015eb: {
    tagsTrusted: false,
    hidden: [
      { book: 'ROM', chapter: 14, verse: 24, inside: 23, begins: 'Now to him who is able' },
      { book: 'ROM', chapter: 14, verse: 25, inside: 23, begins: 'but now is revealed' },
      { book: 'ROM', chapter: 14, verse: 26, inside: 23, begins: 'to the only wise God' },
    ],
  },
  spaRV1909eb: {
    tagsTrusted: true,
    corrections: [{ book: 'JOB', chapter: 32, verse: 2, found: ',,', replacement: ',' }],
    joins: (before, addition) => pronoun.test(addition) && !nonVerbs.has(before.toLowerCase()),
  },
};

const repairsFor = (module: string): ModuleRepairs => byModule[module] ?? noRepairs;
