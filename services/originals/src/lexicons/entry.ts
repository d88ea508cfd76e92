import { glossOf, type ReadMeaning, type RichText, readRichText } from './rich-text';
import { childrenOf, textOf, type XmlElement } from './xml-tree';

export interface LexiconEntry {
  /** The lexicon's id, a colon and what names the entry in its source: `bdb:a.ac.aa`. */
  readonly id: string;
  readonly headword: string;
  /** Tells apart headwords that are spelled alike: `II`. */
  readonly homograph: string | null;
  readonly transliteration: string | null;
  readonly partOfSpeech: string | null;
  readonly language: 'hbo' | 'arc' | 'grc';
  readonly strongs: readonly StrongsNumber[];
  readonly gloss: string | null;
  /** All that is neither derivation nor sense. */
  readonly text: RichText;
  readonly derivation: RichText | null;
  readonly senses: readonly Sense[];
  /** The ids of entries to which this one refers, each once. */
  readonly related: readonly string[];
}

export interface StrongsNumber {
  /** Such as `H1254`. */
  readonly number: string;
  /** The letter with which the Open Scriptures tell apart several words of one number, or ''. */
  readonly letter: string;
}

export interface Sense extends RichText {
  /** 0 for a sense that is in no other one. */
  readonly level: number;
  /** With the numbers of the senses around it: `1.b`. */
  readonly number: string | null;
  /** The stem of the verb, as printed: `Qal`. */
  readonly stem: string | null;
  readonly gloss: string | null;
}

/** Reads the senses of an entry and the senses in them, in the printed order. */
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
