import { readPairs } from '../script/fold';
import {
  childrenOf,
  glossOf,
  type ReadMeaning,
  type RichText,
  readRichText,
  textOf,
  type XmlElement,
} from './rich-text';

export interface LexiconEntry {
  /** The lexicon's id, a colon and the entry's name in the source, such as `bdb:a.ac.aa`. */
  readonly id: string;
  readonly headword: string;
  /** A mark such as `II` that distinguishes headwords with the same spelling. Null if there is none. */
  readonly homograph: string | null;
  readonly transliteration: string | null;
  readonly partOfSpeech: string | null;
  readonly language: 'hbo' | 'arc' | 'grc';
  readonly strongs: readonly StrongsNumber[];
  readonly gloss: string | null;
  /** The text of the entry without its derivation and its senses. */
  readonly text: RichText;
  readonly derivation: RichText | null;
  readonly senses: readonly Sense[];
  /** The ids of entries to which this entry refers, without duplicates. */
  readonly related: readonly string[];
}

export interface StrongsNumber {
  /** The Strong's number, such as `H1254`. */
  readonly number: string;
  /** The letter with which Open Scriptures distinguishes words of one Strong's number. '' if there is none. */
  readonly letter: string;
}

export interface Sense extends RichText {
  /** The depth of the sense. 0 if the sense is not part of another sense. */
  readonly level: number;
  /** The number of the sense with the numbers of its outer senses in front, such as `1.b`. Null if it has none. */
  readonly number: string | null;
  /** The stem of the verb as printed, such as `Qal`. Null if there is none. */
  readonly stem: string | null;
  readonly gloss: string | null;
}

/** Reads the senses of an entry and their inner senses, in the printed order. */
export function readSenses(entry: XmlElement, meaningsOf: ReadMeaning): Sense[] {
  const senses: Sense[] = [];
  const add = (element: XmlElement, outer: Pick<Sense, 'level' | 'number' | 'stem'>): void => {
    const printed = element.attribute('n').replace(/[^\p{L}\p{N}]/gu, '');
    const own = readRichText(element.children, (inner) => (inner.name === 'sense' ? null : meaningsOf(inner)));
    const [stem] = printed === '' ? childrenOf(element, 'stem') : [];
    const sense: Sense = {
      ...own,
      level: outer.level + 1,
      number: [outer.number, printed].filter(Boolean).join('.') || null,
      stem: stem ? withoutBrackets(textOf(stem)) : outer.stem,
      gloss: glossOf(own),
    };
    senses.push(sense);
    for (const inner of childrenOf(element, 'sense')) add(inner, sense);
  };
  for (const element of childrenOf(entry, 'sense')) add(element, { level: -1, number: null, stem: null });
  return senses;
}

/** Returns the name of a stem without brackets, points and numbers around it. */
const withoutBrackets = (stem: string): string => stem.replace(/^\W+/, '').replace(/(?<![.\]\d\s])[.\]\d\s]+$/, '');

/** The lexicons' abbreviations of parts of speech, and the words for which they stand. */
const terms = readPairs(`
  abstr:abstract adj:adjective adv:adverb card:cardinal coll:collective comm:common comp:comparative
  compar:comparative conj:conjunction conjc:conjunction conjunct:conjunction dei:deity
  demonstr:demonstrative denom:denominative div:deity du:dual f:feminine enclit:enclitic fl:river flum:river
  font:spring gent:gentilic indecl:indeclinable intens:intensive interj:interjection interrog:interrogative
  loc:place m:masculine mont:mountain n:noun neg:negative num:numeral ord:ordinal part:particle pers:person
  pl:plural poss:possessive pr:proper prep:preposition pron:pronoun ptcp:participle recipr:reciprocal
  reflex:reflexive rel:relative relat:relative subst:noun superl:superlative superlat:superlative
  terr:territory vb:verb verb:verbal
`);

/** Expands `n.pr.m` and `n.[m.]` to words such as `proper noun masculine`. Other words stay unchanged. */
export const expandPartOfSpeech = (printed: string): string | null =>
  printed
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map((word) => terms.get(word) ?? word)
    .join(' ')
    .replace('noun proper', 'proper noun') || null;

/** A lexicon that Lectern can import. */
export interface Lexicon {
  readonly id: 'bdb' | 'strongs-hebrew' | 'abbott-smith';
  readonly title: string;
  readonly author: string;
  readonly year: number;
  readonly licence: {
    readonly code: string;
    readonly holder: string | null;
    readonly url: string;
    readonly attribution: string;
  };
}

const openScriptures = {
  code: 'CC-BY-4.0',
  holder: 'Open Scriptures Hebrew Bible Project',
  url: 'https://creativecommons.org/licenses/by/4.0/',
};

/** All lexicons, in the order in which the entries of a word are listed. */
export const lexicons: readonly Lexicon[] = [
  {
    id: 'bdb',
    title: 'A Hebrew and English Lexicon of the Old Testament (outlines)',
    author: 'Francis Brown, S. R. Driver, Charles A. Briggs',
    year: 1906,
    licence: {
      ...openScriptures,
      attribution:
        'Brown, Driver and Briggs, in the public domain. Outlines: Open Scriptures Hebrew Bible Project, CC BY 4.0.',
    },
  },
  {
    id: 'strongs-hebrew',
    title: 'A Concise Dictionary of the Words in the Hebrew Bible',
    author: 'James Strong',
    year: 1890,
    licence: {
      ...openScriptures,
      attribution: "Strong's dictionary, in the public domain. Text: Open Scriptures Hebrew Bible Project, CC BY 4.0.",
    },
  },
  {
    id: 'abbott-smith',
    title: 'A Manual Greek Lexicon of the New Testament',
    author: 'G. Abbott-Smith',
    year: 1922,
    licence: {
      code: 'PD',
      holder: null,
      url: 'https://github.com/translatable-exegetical-tools/Abbott-Smith',
      attribution: 'G. Abbott-Smith, A Manual Greek Lexicon of the New Testament (1922), in the public domain.',
    },
  },
];

export const lexiconOf = (entryId: string): Lexicon => {
  const lexicon = lexicons.find(({ id }) => entryId.startsWith(`${id}:`));
  if (!lexicon) throw new Error(`originals.sqlite has an entry of an unknown lexicon: ${entryId}`);
  return lexicon;
};
