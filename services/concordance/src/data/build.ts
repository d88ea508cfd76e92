import { verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';
import { functionWords, stemmerFor, tokenize } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { firstFormId, type StrongsRanges } from './formats';
import { alphabetical, byCount, type Compare, maxSurfaceForms, type SurfaceForm, toStrongsRanges } from './metadata';
import { encodePostings } from './postings';
import { encodeStrongsNumber, encodeTags, encodeWords, memoizeByWord } from './words';

/**
 * A form of a stem, such as `misericordias` of the stem `misericordi`, or a form that translates a
 * Strong's number: how often each spelling occurs (with a capital or without), the verses with the
 * form, and its count in each verse.
 */
interface CollectedForm {
  spellings: Map<string, number>;
  ordinals: number[];
  counts: number[];
}

interface CollectedStem {
  number: number;
  forms: Map<string, CollectedForm>;
  verses: number;
  occurrences: number;
  lastOrdinal: number;
}

/** The forms that translate each Strong's number: by number, then by the form in lower case. */
type TaggedForms = Map<string, Map<string, CollectedForm>>;

/** Writes the verses, the stems and the Strong's numbers of a translation into the index. */
export function buildTranslationIndex(
  db: Database,
  corpus: Corpus,
  { identifier, language, hasStrongsTagging }: Translation,
): { words: number; stems: number; strongsNumbers: StrongsRanges } {
  const insert = db.prepare('INSERT INTO verse (ordinal, text, words, tags) VALUES (?, ?, ?, ?)');
  // Stemming is the slowest step, and a translation has only 12,000 to 28,000 different words.
  const stemOf = memoizeByWord(stemmerFor(language));
  const stems = new Map<string, CollectedStem>();
  const tagged: TaggedForms = new Map();
  let wordCount = 0;
  for (const verse of corpus.eachVerse(identifier)) {
    const ordinal = verseOrdinal(verse);
    const words = tokenize(verse.text).map(({ text, start, length, folded }) => {
      const stem = collectWord(stems, stemOf(folded), text, ordinal);
      return { start, length, stem: stem.number };
    });
    wordCount += words.length;
    const tags = hasStrongsTagging ? verse.words.toSorted((a, b) => a.start - b.start) : [];
    for (const { start, length, strongs } of tags) {
      const written = verse.text.slice(start, start + length);
      for (const number of new Set(strongs)) {
        const forms = tagged.get(number) ?? new Map<string, CollectedForm>();
        tagged.set(number, forms);
        collectForm(forms, written, ordinal);
      }
    }
    insert.run(ordinal, verse.text, encodeWords(words), tags.length === 0 ? null : encodeTags(tags));
  }
  const compare = alphabetical(language);
  writeStems(db, stems, language, compare);
  writeTagged(db, tagged, compare);
  return { words: wordCount, stems: stems.size, strongsNumbers: toStrongsRanges(tagged.keys()) };
}

function collectWord(stems: Map<string, CollectedStem>, text: string, written: string, ordinal: number): CollectedStem {
  const stem = stems.get(text) ?? {
    number: stems.size,
    forms: new Map<string, CollectedForm>(),
    verses: 0,
    occurrences: 0,
    lastOrdinal: -1,
  };
  stems.set(text, stem);
  stem.occurrences += 1;
  if (stem.lastOrdinal !== ordinal) stem.verses += 1;
  stem.lastOrdinal = ordinal;
  collectForm(stem.forms, written, ordinal);
  return stem;
}

function collectForm(forms: Map<string, CollectedForm>, written: string, ordinal: number): void {
  // Spellings that differ only in case (`Amor`, `amor`) are one form.
  const key = written.normalize('NFC').toLowerCase();
  const form = forms.get(key) ?? { spellings: new Map<string, number>(), ordinals: [], counts: [] };
  forms.set(key, form);
  form.spellings.set(written, (form.spellings.get(written) ?? 0) + 1);
  const last = form.ordinals.length - 1;
  if (form.ordinals[last] === ordinal) form.counts[last] = (form.counts[last] ?? 0) + 1;
  else {
    form.ordinals.push(ordinal);
    form.counts.push(1);
  }
}

/** Returns the forms, the most frequent form first, each in its commonest spelling. */
function rankForms(forms: Iterable<CollectedForm>, compare: Compare): (SurfaceForm & CollectedForm)[] {
  const order = byCount(compare);
  return Array.from(forms, (form) => {
    const spellings = Array.from(form.spellings, ([text, occurrences]) => ({ text, occurrences }));
    return {
      ...form,
      text: spellings.sort(order)[0]?.text ?? '',
      occurrences: form.counts.reduce((sum, count) => sum + count, 0),
    };
  }).sort(order);
}

function writeStems(db: Database, stems: ReadonlyMap<string, CollectedStem>, language: string, compare: Compare): void {
  const insertStem = db.prepare(
    'INSERT INTO stem (text, number, place, display_form, verses, occurrences) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertForm = db.prepare('INSERT INTO form (id, text, postings) VALUES (?, ?, ?)');
  const isFunctionWord = functionWordTest(language);
  let place = 0;
  for (const [text, { number, forms, verses, occurrences }] of [...stems].sort(([a], [b]) => compare(a, b))) {
    const sorted = rankForms(forms.values(), compare);
    const displayForm = sorted[0]?.text ?? text;
    // The word index leaves out a stem if the stem or its commonest form is a function word:
    // `sobras` has the same stem as the function word `sobre`, which is the commonest form.
    const isInIndex = !isFunctionWord(text) && !isFunctionWord(displayForm);
    if (isInIndex) place += 1;
    insertStem.run(text, number, isInIndex ? place : null, displayForm, verses, occurrences);
    for (const [rank, form] of sorted.entries())
      insertForm.run(firstFormId(number) + rank, form.text, encodePostings(form.ordinals, form.counts));
  }
}

/**
 * Returns a function that tests whether a word is a function word, such as an article. The
 * tokenizer ends a word at an apostrophe, so the part of a function word after its apostrophe is a
 * function word too.
 */
function functionWordTest(language: string): (written: string) => boolean {
  const afterApostrophe = (word: string) => tokenize(word).slice(1);
  const words = new Set(
    [...functionWords(language)].flatMap((word) => [word, ...afterApostrophe(word).map(({ folded }) => folded)]),
  );
  return (written) => words.has(tokenize(written)[0]?.folded ?? '');
}

function writeTagged(db: Database, tagged: TaggedForms, compare: Compare): void {
  const insert = db.prepare('INSERT INTO tagged (number, forms, postings) VALUES (?, ?, ?)');
  for (const [number, forms] of tagged) {
    const counts = new Map<number, number>();
    for (const form of forms.values()) {
      for (const [index, ordinal] of form.ordinals.entries())
        counts.set(ordinal, (counts.get(ordinal) ?? 0) + (form.counts[index] ?? 0));
    }
    const ordinals = [...counts.keys()].sort((a, b) => a - b);
    const surfaceForms = rankForms(forms.values(), compare).slice(0, maxSurfaceForms);
    insert.run(
      encodeStrongsNumber(number),
      JSON.stringify(surfaceForms.map(({ text }) => text)),
      encodePostings(
        ordinals,
        ordinals.map((ordinal) => counts.get(ordinal) ?? 0),
      ),
    );
  }
}
