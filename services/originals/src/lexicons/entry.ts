import { glossOf, type ReadMeaning, type RichText, readRichText } from './rich-text';
import { childrenOf, textOf, type XmlElement } from './xml-tree';

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
  /**
   * The letter with which the Open Scriptures project distinguishes words that share a Strong's number. '' if there
   * is none.
   */
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
      stem: stem ? textOf(stem).replace(/^\W+|[.\]\d\s]+$/g, '') : outer.stem,
      gloss: glossOf(own),
    };
    senses.push(sense);
    for (const inner of childrenOf(element, 'sense')) add(inner, sense);
  };
  for (const element of childrenOf(entry, 'sense')) add(element, { level: -1, number: null, stem: null });
  return senses;
}
