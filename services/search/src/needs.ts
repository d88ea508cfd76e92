import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapterEnds, isBookCode, verseOrdinal } from '@lectern/canon';
import { foldWord, withoutTilde } from '@lectern/words';
import type { RecognizedNeed } from './semantic/query-kind';

/** What a person who asks needs: comfort in a kind of distress, or verses for an occasion of joy. */
export interface Need {
  /** Capital letters and underscores, such as `CHILD_DEATH`. */
  id: string;
  group: RecognizedNeed['group'];
  /** Verses to give, the best first, as ordinals in the standard numbering. */
  give: readonly number[];
  /** The verses and topics that do not wound. All others are left out. Null for an occasion, which leaves out none. */
  harmless: { readonly verses: ReadonlySet<number>; readonly topics: ReadonlySet<string> } | null;
}

export interface UnderstoodNeed extends Need {
  /** Whether the words are plainly a cry for help. */
  isCry: boolean;
}

interface Row {
  id: string;
  group: string;
  isUrgent: boolean;
  give: string;
  allow: string;
  never: string;
  /** Phrases that only a person with this need writes, folded. No verse has them. */
  phrases: readonly string[];
  topics: readonly string[];
}

/** With this probability, the query of a person in danger is plainly a cry for help. */
const minCry = 0.8;

/** The minimum probability of distress if nobody is named: most such queries ask what the Bible says on a subject. */
const minImpersonal = 0.8;

/** The words of a query, the pairs of them, and the beginnings of long ones, by which distress may be recognized. */
export function wordFeatures(query: string): Set<string> {
  const words = foldPhrase(query).split(' ');
  return new Set(
    words.flatMap((word, at) => [
      ...(word === '' ? [] : [word]),
      ...(word.length > stemLength ? [`${word.slice(0, stemLength)}~`] : []),
      ...(at > 0 ? [`${words[at - 1]} ${word}`] : []),
    ]),
  );
}

/** The length of the beginning that the forms of a word share, in letters. */
const stemLength = 5;

/** Words of people who speak of themselves or of somebody near, or who ask for a verse, in six languages, folded. */
const personal =
  / (i|im|ive|you|verses?|scriptures?|comfort|prayers?|versiculos?|oracion|consuelo|me|my|myself|we|our|us|he|she|his|him|her|someone|somebody|mi|mis|yo|nos|nosotros|se|estoy|tengo|soy|puedo|quiero|siento|voy|volvi|quede|conmigo|ich|mir|mich|mein\p{L}*|unser\p{L}*|je|moi|mon|ma|mes|sono|ho|mio|mia|miei|eu|meu|minha|estou|sou) | jai /u;

/**
 * The row `ANY` has what wounds nobody. A person in distress sees only this and what their need gives, because a list
 * of all verses that wound is never complete. We have read the verses in eng-web, eng-kjv and spa-rv1909.
 */
export function createNeeds() {
  const lines = readLines('needs.tsv').slice(1);
  const weights = new Map(readLines('query-kinds/distress-words.tsv').map(toWeight));
  const [any, ...rows] = lines.map(parseRow);
  if (any?.id !== 'ANY') throw new Error('The table of needs does not begin with ANY.');
  /** The phrases by their first word, because to look for each phrase would take a tenth of a search. */
  const phrasesOf = new Map<string, { phrase: string; row: Row }[]>();
  for (const row of rows)
    for (const phrase of row.phrases) {
      const first = phrase.split(' ')[1] ?? '';
      phrasesOf.set(first, [...(phrasesOf.get(first) ?? []), { phrase, row }]);
    }
  const needs = new Map<string, Need>();

  const needOf = (row: Row): Need => {
    const need = needs.get(row.id) ?? createNeed(row);
    needs.set(row.id, need);
    return need;
  };
  const createNeed = ({ id, group, give: given, allow, never, topics: own }: Row): Need => {
    const give = versesOf(given);
    if (group !== 'DISTRESS') return { id, group: 'OCCASION', give, harmless: null };
    const verses = new Set([...versesOf(any.allow), ...versesOf(allow)]);
    for (const ordinal of versesOf(never)) verses.delete(ordinal);
    for (const ordinal of give) verses.add(ordinal);
    return { id, group, give, harmless: { verses, topics: new Set([...any.topics, ...own]) } };
  };

  return {
    /** Whether the words of a query are more often those of a person in distress. Takes microseconds. */
    mayShowDistress: (query: string): boolean =>
      ['', ...wordFeatures(query)].reduce((sum, feature) => sum + (weights.get(feature) ?? 0), 0) > 0,

    /** Returns the need that clear phrases show, or else `recognized` by the embedding model, or null. */
    find(query: string, recognized: RecognizedNeed | null = null): UnderstoodNeed | null {
      const folded = foldPhrase(query);
      const named = folded.split(' ').flatMap((word) => phrasesOf.get(word) ?? []);
      const found = new Set(named.filter(({ phrase }) => folded.includes(phrase)).map(({ row }) => row));
      const plain = rows.find((row) => found.has(row));
      if (!plain && !recognized) return null;
      const isSure = recognized?.group === 'OCCASION' || personal.test(folded);
      const isLikely = isSure || (recognized?.probability ?? 0) >= minImpersonal;
      const row = plain ?? rows.find(({ id }) => isLikely && id === recognized?.id);
      if (!row) return null;
      const isCry = row.isUrgent && (plain !== undefined || (recognized?.probability ?? 0) >= minCry);
      return { ...needOf(row), isCry };
    },
  };
}

export type Needs = ReturnType<typeof createNeeds>;

const readLines = (file: string): string[] =>
  readFileSync(join(__dirname, '..', file), 'utf8')
    .trimEnd()
    .split('\n');

const toWeight = (line: string): [string, number] => {
  const [word = '', weight] = line.split('\t');
  return [word, Number(weight)];
};

function parseRow(line: string): Row {
  const [id = '', group = '', urgent = '', give = '', allow = '', never = '', words = '', topics = ''] =
    line.split('\t');
  const phrases = words.split('|').filter((phrase) => phrase !== '');
  return {
    id,
    group,
    isUrgent: urgent === 'yes',
    give,
    allow,
    never,
    phrases: phrases.map(foldPhrase),
    topics: topics.split('|'),
  };
}

/** Returns a text's words without case, accents and apostrophes, with a blank before and after each. */
const foldPhrase = (text: string): string =>
  ` ${withoutTilde(foldWord(text))
    .replaceAll(/['’‘ʼ]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;

/** Parses `PSA 23 34:17-19,22; ISA 12; LEV`: chapters and verses of books, or whole books. */
function versesOf(list: string): number[] {
  return list.split('; ').flatMap((part) => {
    const [book = '', ...items] = part.split(' ');
    if (book === '') return [];
    if (!isBookCode(book)) throw new Error(`Malformed verses in the table of needs: ${part}`);
    const ends = chapterEnds('standard', book);
    const chapters = items.length > 0 ? items : ends.map((_, at) => String(at + 1));
    return chapters.flatMap((item) => {
      const [chapter = '', verses] = item.split(':');
      const all = `1-${ends[Number(chapter) - 1] ?? Number.NaN}`;
      return (verses ?? all).split(',').flatMap((range) => {
        const [first = Number.NaN, last = first] = range.split('-').map(Number);
        if (!(first >= 1 && last >= first)) throw new Error(`Malformed verses in the table of needs: ${part}`);
        const ordinal = verseOrdinal({ book, chapter: Number(chapter), verse: first });
        return Array.from({ length: last - first + 1 }, (_, at) => ordinal + at);
      });
    });
  });
}
