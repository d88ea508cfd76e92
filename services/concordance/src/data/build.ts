import { verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation, WordTag } from '@lectern/corpus';
import { foldWord, functionLemmas, functionWords, stemmerFor, tokenize, verseWords } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import {
  alphabetical,
  byCount,
  type Compare,
  firstFormId,
  formKey,
  maxFormCounts,
  type StrongsRanges,
  type SurfaceForm,
  toStrongsRanges,
} from './files';
import { encodePostings } from './postings';
import { encodeStrongsNumber, encodeTags, encodeWords, endOf, memoizeByWord } from './words';

/** A spelling of a word, the verses that have it, and how often each of them has it. */
interface Spelling {
  text: string;
  ordinals: number[];
  counts: number[];
}

/** One form of a stem or Strong's number: its spellings (`Amor`, `amor`), by their text. */
type CollectedForm = Map<string, Spelling>;

interface CollectedStem {
  number: number;
  forms: Map<string, CollectedForm>;
  verses: number;
  occurrences: number;
  lastOrdinal: number;
}

/** For each Strong's number, the forms of its renderings, and the auxiliary words (`were` in "were all baptized"). */
type TaggedForms = Map<
  string,
  { forms: Map<string, CollectedForm>; auxiliaries: { written: string; ordinal: number }[] }
>;

/** Writes the verses, the stems and the Strong's numbers of a translation into the index. */
export function buildTranslationIndex(
  db: Database,
  corpus: Corpus,
  { identifier, language, hasStrongsTagging }: Translation,
): { words: number; stems: number; strongsNumbers: StrongsRanges } {
  const insert = db.prepare('INSERT INTO verse (ordinal, text, words, tags) VALUES (?, ?, ?, ?)');
  // Cached, because stemming is the slowest step and a translation has only 12,000 to 28,000 different words.
  const stemOf = memoizeByWord(stemmerFor(language, 'distinct'));
  const isFunctionWord = functionWordTest(language);
  const stems = new Map<string, CollectedStem>();
  const tagged: TaggedForms = new Map();
  let wordCount = 0;
  let hasLemmas = false;
  for (const verse of corpus.eachVerse(identifier)) {
    const ordinal = verseOrdinal(verse);
    const lemmas = wordsWithLemma(verse);
    hasLemmas ||= lemmas.length > 0;
    const tokens = hasLemmas
      ? lemmas
      : verseWords(verse.text, language).map(({ text, start, length, folded }) => ({
          text,
          start,
          length,
          stem: stemOf(folded),
        }));
    const words = tokens.map(({ text, start, length, stem }) => ({
      start,
      length,
      stem: collectWord(stems, stem, text, ordinal).number,
    }));
    wordCount += words.length;
    const tags = hasStrongsTagging
      ? verse.words.filter(({ strongs }) => strongs.length > 0).sort((a, b) => a.start - b.start)
      : [];
    const isAuxiliary = auxiliaryTest(tags, verse.text, isFunctionWord);
    for (const [index, { start, length, strongs }] of tags.entries()) {
      const written = verse.text.slice(start, start + length);
      for (const number of new Set(strongs)) {
        const { forms, auxiliaries } = tagged.get(number) ?? {
          forms: new Map<string, CollectedForm>(),
          auxiliaries: [],
        };
        tagged.set(number, { forms, auxiliaries });
        if (isAuxiliary(index, number)) auxiliaries.push({ written, ordinal });
        else collectForm(forms, written, ordinal);
      }
    }
    insert.run(ordinal, verse.text, encodeWords(words), tags.length === 0 ? null : encodeTags(tags));
  }
  const compare = alphabetical(language);
  writeStems(db, stems, isFunctionWord, compare);
  if (hasLemmas) writeSpellings(db, stems);
  writeTagged(db, tagged, compare);
  return { words: wordCount, stems: stems.size, strongsNumbers: toStrongsRanges(tagged.keys()) };
}

/** Returns the words of a verse if its source marks the start and the lemma of each word. Otherwise returns []. */
const wordsWithLemma = ({ text, words }: { text: string; words: readonly WordTag[] }) =>
  words.flatMap(({ start, length, lemma }) =>
    lemma === undefined ? [] : { text: text.slice(start, start + length), start, length, stem: lemma },
  );

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
  const key = formKey(written);
  const form = forms.get(key) ?? new Map<string, Spelling>();
  forms.set(key, form);
  const text = written.normalize('NFC');
  const spelling = form.get(text) ?? { text: written, ordinals: [], counts: [] };
  form.set(text, spelling);
  const last = spelling.ordinals.length - 1;
  if (spelling.ordinals[last] === ordinal) spelling.counts[last] = (spelling.counts[last] ?? 0) + 1;
  else {
    spelling.ordinals.push(ordinal);
    spelling.counts.push(1);
  }
}

/** Returns the spellings of a form, the most frequent first. */
function rankSpellings(form: CollectedForm, compare: Compare): (SurfaceForm & Spelling)[] {
  return Array.from(form.values(), (spelling) => ({
    ...spelling,
    occurrences: spelling.counts.reduce((sum, count) => sum + count, 0),
  })).sort(byCount(compare));
}

/** Returns the forms of a word, the most frequent first, each in its most frequent spelling. */
function rankForms(forms: Iterable<CollectedForm>, compare: Compare) {
  return Array.from(forms, (form) => {
    const spellings = rankSpellings(form, compare);
    return {
      spellings,
      text: spellings[0]?.text ?? '',
      occurrences: spellings.reduce((sum, { occurrences }) => sum + occurrences, 0),
    };
  }).sort(byCount(compare));
}

function writeStems(
  db: Database,
  stems: ReadonlyMap<string, CollectedStem>,
  isFunctionWord: (written: string) => boolean,
  compare: Compare,
): void {
  const insertStem = db.prepare(
    'INSERT INTO stem (text, number, place, display_form, verses, occurrences) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertForm = db.prepare('INSERT INTO form (id, text, postings) VALUES (?, ?, ?)');
  let place = 0;
  for (const [text, { number, forms, verses, occurrences }] of [...stems].sort(([a], [b]) => compare(a, b))) {
    const sorted = rankForms(forms.values(), compare);
    const displayForm = sorted[0]?.text ?? text;
    // A stem and its most frequent form must not be function words: `sobras` has the stem of the frequent `sobre`.
    const isInIndex = !isFunctionWord(text) && !isFunctionWord(displayForm);
    if (isInIndex) place += 1;
    insertStem.run(text, number, isInIndex ? place : null, displayForm, verses, occurrences);
    for (const [rank, each] of sorted.flatMap(({ spellings }) => spellings).entries())
      insertForm.run(firstFormId(number) + rank, each.text, encodePostings(each.ordinals, each.counts));
  }
}

/** Writes the lemmas of stems, and the spellings of their forms. */
function writeSpellings(db: Database, stems: ReadonlyMap<string, CollectedStem>): void {
  const insert = db.prepare('INSERT OR IGNORE INTO spelling (folded, written, stem, is_lemma) VALUES (?, ?, ?, ?)');
  for (const [lemma, { forms }] of stems) {
    insert.run(foldWord(lemma), lemma, lemma, 1);
    for (const form of forms.keys()) insert.run(foldWord(form), form, lemma, 0);
  }
}

/** Creates the function that tests for function words, such as articles. The `t` of "don't" counts as one. */
function functionWordTest(language: string): (written: string) => boolean {
  const afterApostrophe = (word: string) => tokenize(word).slice(1);
  const words = new Set(
    [...functionWords(language)].flatMap((word) => [word, ...afterApostrophe(word).map(({ folded }) => folded)]),
  );
  const lemmas = functionLemmas(language);
  return (written) => {
    const tokens = tokenize(written);
    const isContraction = verseWords(written, language).length < tokens.length;
    return lemmas.has(written.normalize('NFC')) || isContraction || words.has(tokens[0]?.folded ?? '');
  };
}

/** With a larger share of function words, a number is a pronoun or preposition, and these words are not auxiliary. */
const maxAuxiliaryShare = 0.2;

/** The maximum distance, in UTF-16 units, of the two parts of a phrase such as "were all baptized". */
const maxPhraseGap = 50;

/** Creates the test for auxiliary parts. "were ... baptized" renders one Greek word, so `were` is not counted. */
function auxiliaryTest(tags: readonly WordTag[], text: string, isFunctionWord: (written: string) => boolean) {
  const hasContent = ({ start, length }: WordTag): boolean =>
    tokenize(text.slice(start, start + length)).some(({ text: written }) => !isFunctionWord(written));
  return (index: number, number: string): boolean => {
    const tag = tags[index];
    if (!tag || hasContent(tag)) return false;
    return tags.some(
      (other) =>
        other !== tag &&
        other.strongs.includes(number) &&
        Math.max(other.start - endOf(tag), tag.start - endOf(other)) <= maxPhraseGap &&
        hasContent(other),
    );
  };
}

function writeTagged(db: Database, tagged: TaggedForms, compare: Compare): void {
  const insert = db.prepare('INSERT INTO tagged (number, forms, postings) VALUES (?, ?, ?)');
  for (const [number, { forms, auxiliaries }] of tagged) {
    const occurrences = rankForms(forms.values(), compare).reduce((sum, form) => sum + form.occurrences, 0);
    if (auxiliaries.length > occurrences * maxAuxiliaryShare)
      for (const { written, ordinal } of auxiliaries) collectForm(forms, written, ordinal);
    const counts = new Map<number, number>();
    for (const { ordinals, counts: each } of [...forms.values()].flatMap((form) => [...form.values()]))
      for (const [index, ordinal] of ordinals.entries())
        counts.set(ordinal, (counts.get(ordinal) ?? 0) + (each[index] ?? 0));
    const ordinals = [...counts.keys()].sort((a, b) => a - b);
    const formCounts = rankForms(forms.values(), compare)
      .slice(0, maxFormCounts)
      .map(({ text, occurrences, spellings }) => ({
        form: text,
        occurrences,
        verses: new Set(spellings.flatMap((spelling) => spelling.ordinals)).size,
      }));
    insert.run(
      encodeStrongsNumber(number),
      JSON.stringify(formCounts),
      encodePostings(
        ordinals,
        ordinals.map((ordinal) => counts.get(ordinal) ?? 0),
      ),
    );
  }
}
