import { verseOrdinal } from '@lectern/canon';
import type { Corpus, CorpusVerse, Translation, WordTag } from '@lectern/corpus';
import { functionWords, stemmerFor, tokenize } from '@lectern/words';
import type Database from 'better-sqlite3';
import { encodePostings } from './postings';
import type { SurfaceForm } from './surface-forms';
import { alphabetical, byCount, caseless, commonestSpelling, maxSurfaceForms } from './surface-forms';
import { encodeTags, encodeWords } from './verse-encoding';

/** One form as it is gathered: how it is spelt, and the verses it stands in. */
interface GatheredForm {
  spellings: Map<string, number>;
  ordinals: number[];
  counts: number[];
}

interface GatheredStem {
  number: number;
  forms: Map<string, GatheredForm>;
  verses: number;
  occurrences: number;
  lastOrdinal: number;
}

interface Gathered {
  stems: Map<string, GatheredStem>;
  tagged: Map<string, Map<string, GatheredForm>>;
  words: number;
}

/** Writes one edition's verses, words and Strong's numbers into the index. Gives how much there was. */
export function buildTranslationIndex(
  db: Database.Database,
  corpus: Corpus,
  edition: Translation,
  number: number,
): { words: number; stems: number } {
  db.prepare('INSERT INTO edition (number, identifier, language, books) VALUES (?, ?, ?, ?)').run(
    number,
    edition.identifier,
    edition.language,
    JSON.stringify(edition.books.map(({ code, name }) => [code, name])),
  );
  const compare = alphabetical(edition.language);
  const gathered = gatherVerses(db, corpus, edition, number);
  writeStems(db, number, gathered.stems, edition.language, compare);
  writeTagged(db, number, gathered.tagged, compare);
  return { words: gathered.words, stems: gathered.stems.size };
}

function gatherVerses(db: Database.Database, corpus: Corpus, edition: Translation, number: number): Gathered {
  const insert = db.prepare('INSERT INTO verse (edition, ordinal, text, words, tags) VALUES (?, ?, ?, ?, ?)');
  const stemOf = rememberedStems(stemmerFor(edition.language));
  const gathered: Gathered = { stems: new Map(), tagged: new Map(), words: 0 };
  for (const verse of corpus.eachVerse(edition.identifier)) {
    const ordinal = verseOrdinal(verse);
    const words = tokenize(verse.text).map(({ text, start, length, folded }) => {
      const stem = gatherWord(gathered.stems, stemOf(folded), text, ordinal);
      return { start, length, stem: stem.number };
    });
    gathered.words += words.length;
    const tags = edition.hasStrongsTagging ? verse.words.toSorted((a, b) => a.start - b.start) : [];
    gatherTags(gathered.tagged, verse, tags, ordinal);
    insert.run(number, ordinal, verse.text, encodeWords(words), tags.length === 0 ? null : encodeTags(tags));
  }
  return gathered;
}

/** Stemming costs more than everything else about a word, and a Bible has some 15,000 different ones. */
function rememberedStems(stem: (folded: string) => string): (folded: string) => string {
  const known = new Map<string, string>();
  return (folded) => {
    const found = known.get(folded) ?? stem(folded);
    known.set(folded, found);
    return found;
  };
}

function gatherWord(stems: Map<string, GatheredStem>, text: string, written: string, ordinal: number): GatheredStem {
  const stem = stems.get(text) ?? {
    number: stems.size,
    forms: new Map<string, GatheredForm>(),
    verses: 0,
    occurrences: 0,
    lastOrdinal: -1,
  };
  stems.set(text, stem);
  stem.occurrences += 1;
  if (stem.lastOrdinal !== ordinal) stem.verses += 1;
  stem.lastOrdinal = ordinal;
  gatherForm(stem.forms, written, ordinal);
  return stem;
}

function gatherTags(tagged: Gathered['tagged'], verse: CorpusVerse, tags: readonly WordTag[], ordinal: number): void {
  for (const { start, length, strongs } of tags) {
    const written = verse.text.slice(start, start + length);
    for (const number of new Set(strongs)) {
      const forms = tagged.get(number) ?? new Map<string, GatheredForm>();
      tagged.set(number, forms);
      gatherForm(forms, written, ordinal);
    }
  }
}

function gatherForm(forms: Map<string, GatheredForm>, written: string, ordinal: number): void {
  const key = caseless(written);
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

type Compare = (a: string, b: string) => number;

/** Commonest first. */
function ranked(forms: Iterable<GatheredForm>, compare: Compare): (SurfaceForm & GatheredForm)[] {
  return Array.from(forms, (form) => ({
    ...form,
    text: commonestSpelling(form.spellings, compare),
    occurrences: form.counts.reduce((sum, count) => sum + count, 0),
  })).sort(byCount(compare));
}

function writeStems(
  db: Database.Database,
  edition: number,
  stems: ReadonlyMap<string, GatheredStem>,
  language: string,
  compare: Compare,
): void {
  const insertStem = db.prepare(
    'INSERT INTO stem (edition, text, number, place, display_form, verses, occurrences) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertForm = db.prepare('INSERT INTO form (edition, stem, rank, text, postings) VALUES (?, ?, ?, ?, ?)');
  const isFunctionWord = functionWordTest(language);
  let place = 0;
  for (const [text, { number, forms, verses, occurrences }] of [...stems].sort(([a], [b]) => compare(a, b))) {
    const sorted = ranked(forms.values(), compare);
    const displayForm = sorted[0]?.text ?? text;
    // Judged by its commonest form: `sobras` shares its stem with `sobre`, and is not what three thousand of its words are.
    const isListed = !isFunctionWord(text) && !isFunctionWord(displayForm);
    if (isListed) place += 1;
    insertStem.run(edition, text, number, isListed ? place : null, displayForm, verses, occurrences);
    for (const [rank, form] of sorted.entries())
      insertForm.run(edition, number, rank, form.text, encodePostings(form.ordinals, form.counts));
  }
}

/** Folded as the words are. A list that has `don't` means its halves where tokens are cut there: the part behind the apostrophe. */
function functionWordTest(language: string): (written: string) => boolean {
  const listed = functionWords(language);
  const known = new Set(
    [...listed].flatMap((word) => [
      word,
      ...tokenize(word)
        .slice(1)
        .map(({ folded }) => folded),
    ]),
  );
  return (written) => known.has(tokenize(written)[0]?.folded ?? '');
}

function writeTagged(db: Database.Database, edition: number, tagged: Gathered['tagged'], compare: Compare): void {
  const insert = db.prepare('INSERT INTO tagged (edition, number, forms, postings) VALUES (?, ?, ?, ?)');
  for (const [number, forms] of [...tagged].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const counts = new Map<number, number>();
    for (const form of forms.values()) {
      for (const [index, ordinal] of form.ordinals.entries())
        counts.set(ordinal, (counts.get(ordinal) ?? 0) + (form.counts[index] ?? 0));
    }
    const verses = [...counts].sort(([a], [b]) => a - b);
    const shown = ranked(forms.values(), compare)
      .slice(0, maxSurfaceForms)
      .map(({ text }) => text);
    insert.run(
      edition,
      number,
      JSON.stringify(shown),
      encodePostings(
        verses.map(([ordinal]) => ordinal),
        verses.map(([, count]) => count),
      ),
    );
  }
}
