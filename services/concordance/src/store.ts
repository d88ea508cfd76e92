import type { Place } from '@lectern/canon';
import { verseOrdinal } from '@lectern/canon';
import type { OpenChecksummedFileOptions } from '@lectern/data-files';
import { openChecksummedFile } from '@lectern/data-files';
import { errors } from '@lectern/errors';
import { foldWord, stemmerFor, tokenize } from '@lectern/words';
import { concordanceFileKind } from './concordance-file';
import type { ConcordanceArguments, ConcordancePage, Occurrence } from './concordance-page';
import { occurrence, pageOf } from './concordance-page';
import { emptyResult, strongsResult, wordsResult } from './concordance-result';
import type { IndexedTranslation, IndexedVerse, TranslationRow, VerseRow } from './indexed-translation';
import { indexedTranslation, indexedVerse } from './indexed-translation';
import { decodePostings } from './postings';
import { createStemReader } from './stem-reader';
import type { StrongsEntry } from './strongs-number';
import { parseStrongsNumber, strongsLanguage } from './strongs-number';

export interface IndexEntry {
  readonly lemma: string;
  readonly displayForm: string;
  readonly verseCount: number;
  readonly totalOccurrences: number;
}

/** As it came: null is as good as absent. */
export interface IndexFilter {
  readonly prefix?: string | null;
  readonly minOccurrences?: number | null;
  readonly first?: number | null;
}

const longestWord = 100;
const usualIndexPage = 50;
const largestIndexPage = 200;

/** The reading side of the index as the resolvers need it. Everything it throws is in the catalogue, but for what `openChecksummedFile` says of the file. */
export function createConcordanceStore(file: string, options: OpenChecksummedFileOptions = {}) {
  const { db, manifest } = openChecksummedFile(file, concordanceFileKind, options);
  const rows = db
    .prepare<[], TranslationRow>('SELECT number, identifier, language, books FROM edition ORDER BY identifier')
    .all();
  const editions = new Map(rows.map((row) => [row.identifier, indexedTranslation(row)]));
  const groups = createStemReader(db);
  const tagged = db.prepare<[number, string], { forms: string; postings: Buffer }>(
    'SELECT forms, postings FROM tagged WHERE edition = ? AND number = ?',
  );
  // CROSS JOIN keeps the planner to this order: a look-up by key for each place, never a scan of the edition.
  const some = db.prepare<[string, number], VerseRow>(
    'SELECT v.ordinal, v.text, v.words, v.tags FROM json_each(?) AS place CROSS JOIN verse AS v ON v.edition = ? AND v.ordinal = place.value',
  );
  const entryColumns =
    'text AS lemma, display_form AS displayForm, verses AS verseCount, occurrences AS totalOccurrences';
  const listed = db.prepare<[number, number, number], IndexEntry>(
    `SELECT ${entryColumns} FROM stem WHERE edition = ? AND place IS NOT NULL AND occurrences >= ? ORDER BY place LIMIT ?`,
  );
  const listedUnder = db.prepare<[number, string, string, number, number], IndexEntry>(
    `SELECT ${entryColumns} FROM stem WHERE edition = ? AND text >= ? AND text < ? AND place IS NOT NULL AND occurrences >= ? ORDER BY place LIMIT ?`,
  );
  // Some 14,000 entries, a few megabytes: a verse with its words asks for one with every word.
  const lexicon = new Map(
    db
      .prepare<[], Omit<StrongsEntry, 'language'>>('SELECT number, lemma, transliteration, definition FROM lexicon')
      .all()
      .map((entry) => [entry.number, { ...entry, language: strongsLanguage(entry.number) }]),
  );
  const bare = new Map(
    db
      .prepare<[], { number: string }>('SELECT DISTINCT number FROM tagged')
      .all()
      .map(({ number }) => [number, withoutEntry(number)]),
  );

  const edition = (identifier: string): IndexedTranslation => {
    const found = editions.get(identifier);
    if (!found) throw errors.translationNotFound(identifier);
    return found;
  };
  const known = (number: string): StrongsEntry | null => lexicon.get(number) ?? bare.get(number) ?? null;
  const strongs = (text: string): StrongsEntry => {
    const number = parseStrongsNumber(text);
    const entry = number === null ? null : known(number);
    if (!entry) throw errors.strongsNotFound(text);
    return entry;
  };
  const verses = (of: IndexedTranslation, ordinals: readonly number[]): Map<number, IndexedVerse> =>
    new Map(
      ordinals.length === 0
        ? []
        : some.all(JSON.stringify(ordinals), of.number).map((row) => [row.ordinal, indexedVerse(of, row)]),
    );

  return {
    /** The digest of the corpus that was indexed. */
    corpusDigest: manifest.get('corpusDigest') ?? '',

    /** When the index was built. */
    builtAt: manifest.get('builtAt') ?? '',

    /** Null for an identifier that is not indexed: a reference from another subgraph may be ahead of this file. */
    editionOrNull: (identifier: string): IndexedTranslation | null => editions.get(identifier) ?? null,

    /** The verses of an edition that hold every word of a text, as forms of the same stems. */
    words(asked: ConcordanceArguments, text: string): ConcordancePage {
      const of = edition(asked.translation);
      const stems = stemsOf(of, checkedWord(text));
      const found = stems.map((stem) => groups.group(of.number, stem));
      return pageOf(of, found.length === 0 ? emptyResult('') : wordsResult(found, of.compare), asked);
    },

    /** The verses of an edition that bear a Strong's number. */
    tagged(asked: ConcordanceArguments, text: string): ConcordancePage {
      const of = edition(asked.translation);
      const { number } = strongs(text);
      const row = tagged.get(of.number, number);
      return pageOf(
        of,
        row
          ? strongsResult(number, decodePostings(row.postings), JSON.parse(row.forms) as string[])
          : emptyResult(number),
        asked,
      );
    },

    /** The occurrences of a page, in canonical order: one statement. */
    occurrences({ edition: of, finding, ordinals }: ConcordancePage): Occurrence[] {
      const found = verses(of, ordinals);
      return ordinals.map((ordinal) => {
        const verse = found.get(ordinal);
        if (!verse) throw new Error(`the index lacks a verse that it lists: ${of.identifier} ${ordinal}`);
        return occurrence(finding, verse);
      });
    },

    /** The index of an edition in the order of its alphabet; only what begins with `prefix`, where that is not blank. */
    index(translation: string, { prefix, minOccurrences, first }: IndexFilter): IndexEntry[] {
      const of = edition(translation);
      const wanted = (prefix ?? '').trim();
      if ([...wanted].length > longestWord) throw errors.tooLong('prefix', longestWord);
      const atLeast = minOccurrences ?? 1;
      const most = Math.min(Math.max(first ?? usualIndexPage, 1), largestIndexPage);
      if (wanted === '') return listed.all(of.number, atLeast, most);
      const folded = foldWord(wanted);
      return listedUnder.all(of.number, folded, `${folded}\u{10ffff}`, atLeast, most);
    },

    /** By number as people write it. */
    strongs,

    /** The entry of a number that stands in a text; its number alone where no dictionary has it. */
    entry: (number: string): StrongsEntry => known(number) ?? withoutEntry(number),

    /** In one statement: the verses at these places, in their order; null where the edition has none. */
    verses(of: IndexedTranslation, places: readonly Place[]): (IndexedVerse | null)[] {
      const ordinals = places.map(verseOrdinal);
      const found = verses(of, [...new Set(ordinals)]);
      return ordinals.map((ordinal) => found.get(ordinal) ?? null);
    },

    close(): void {
      db.close();
    },
  };
}

export type ConcordanceStore = ReturnType<typeof createConcordanceStore>;

const withoutEntry = (number: string): StrongsEntry => ({
  number,
  lemma: null,
  transliteration: null,
  definition: null,
  language: strongsLanguage(number),
});

function checkedWord(text: string): string {
  const word = text.trim();
  if (word === '') throw errors.blank('word');
  if ([...word].length > longestWord) throw errors.tooLong('word', longestWord);
  return word;
}

/** Each once, in the order asked; none for a text without letters and digits. */
function stemsOf({ language }: IndexedTranslation, text: string): string[] {
  const stem = stemmerFor(language);
  return [...new Set(tokenize(text).map(({ folded }) => stem(folded)))];
}
