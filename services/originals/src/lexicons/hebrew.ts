import { join } from 'node:path';
import { foldOriginal } from '../script/fold';
import { expandPartOfSpeech, type LexiconEntry, readSenses, type StrongsNumber } from './entry';
import {
  childrenOf,
  descendantsOf,
  glossOf,
  joinParagraphs,
  type LexiconReferences,
  type ReadMeaning,
  readElements,
  readKinds,
  readRichText,
  type SpanMeaning,
  textOf,
  type XmlElement,
} from './rich-text';

const bdbId = (id: string): string => `bdb:${id}`;
export const strongsHebrewId = (number: string): string => `strongs-hebrew:${number}`;

/** An entry of LexicalIndex.xml, which links the entries of the two Hebrew lexicons. */
export interface IndexEntry {
  readonly headword: string;
  readonly bdb: string;
  readonly strongs: StrongsNumber | null;
  readonly transliteration: string;
  readonly gloss: string;
  /** Whether the words in `words` are derived from this entry. If false, this entry is derived from these words. */
  readonly isMain: boolean;
  readonly words: readonly string[];
}

export type LexicalIndex = ReadonlyMap<string, IndexEntry>;

/** References use the numbering of the Hebrew Bible. Rejects with an ImportError if the file is invalid. */
export async function readBrownDriverBriggs(
  folder: string,
  index: LexicalIndex,
  { parseHebrew }: LexiconReferences,
): Promise<LexiconEntry[]> {
  const byEntry = new Map<string, IndexEntry[]>();
  for (const entry of index.values()) byEntry.set(entry.bdb, [...(byEntry.get(entry.bdb) ?? []), entry]);
  const elements = await readElements(join(folder, 'BrownDriverBriggs.xml'), 'entry');
  const headwords = new Map(elements.map((element) => [element.attribute('id'), headwordOf(element)]));
  return elements.map((element) => {
    const key = element.attribute('id');
    // The ids of Aramaic entries begin with x.
    const language = key.startsWith('x') ? 'arc' : 'hbo';
    const meaningsOf = bdbMeanings(language, parseHebrew);
    // Some entries are joined with several words, such as שָׁלוֹם with the name of an altar. Their own word comes first.
    const likeness = ({ headword }: IndexEntry): number =>
      [foldOriginal, foldLetters].filter((fold) => fold(headword) === fold(headwordOf(element))).length;
    const joined = [...(byEntry.get(key) ?? [])].sort((a, b) => likeness(b) - likeness(a));
    const text = readRichText(element.children, (inner) => (inner.name === 'sense' ? null : meaningsOf(inner)));
    const bdbOf = (ids: readonly string[]): string[] => ids.flatMap((id) => index.get(id)?.bdb || []);
    const [root] = joined.filter(({ isMain }) => !isMain).flatMap(({ words }) => bdbOf(words));
    const rootWord = root === undefined ? '' : (headwords.get(root) ?? '');
    const links = descendantsOf(element, 'w').flatMap((word) => word.attribute('src') || []);
    const words = joined.flatMap((entry) => bdbOf(entry.words));
    return {
      id: bdbId(key),
      headword: headwordOf(element),
      homograph: element.attribute('mod') || null,
      transliteration: joined.find((each) => likeness(each) > 0)?.transliteration ?? null,
      partOfSpeech: expandPartOfSpeech(childrenOf(element, 'pos').map(textOf)[0] ?? ''),
      language,
      strongs: joined.flatMap(({ strongs }) => strongs ?? []),
      gloss: [...new Set(joined.map(({ gloss }) => gloss).filter(Boolean))].join(', ') || glossOf(text),
      text,
      derivation:
        root === undefined || rootWord === '' || root === key
          ? null
          : {
              text: rootWord,
              spans: [{ start: 0, length: rootWord.length, kind: 'LINK', language, entry: bdbId(root) }],
            },
      senses: readSenses(element, meaningsOf),
      related: [...new Set([...words, ...links])].filter((id) => id !== key && headwords.has(id)).map(bdbId),
    };
  });
}

/** Reads the index, by the ids of entries. Rejects with an ImportError if the file is invalid. */
export async function readLexicalIndex(folder: string): Promise<LexicalIndex> {
  return new Map(
    (await readElements(join(folder, 'LexicalIndex.xml'), 'entry')).map((element): [string, IndexEntry] => {
      const [word, xref, etymology, gloss] = ['w', 'xref', 'etym', 'def'].map((name) => childrenOf(element, name)[0]);
      const number = xref?.attribute('strong') ?? '';
      return [
        element.attribute('id'),
        {
          headword: word ? textOf(word) : '',
          bdb: xref?.attribute('bdb') ?? '',
          // Eight prefixes have a letter in place of a number, so they have no Strong's number.
          strongs: /^\d+$/.test(number) ? { number: `H${number}`, letter: xref?.attribute('aug') ?? '' } : null,
          transliteration: word?.attribute('xlit') ?? '',
          gloss: gloss ? textOf(gloss) : '',
          isMain: etymology?.attribute('type') !== 'sub',
          words: (etymology ? textOf(etymology) : '').split(', '),
        },
      ];
    }),
  );
}

/** Folds a word to its consonants, because the lexicon and its index write some vowel letters differently. */
const foldLetters = (word: string): string => foldOriginal(word).replace(/[ויא\P{L}]/gu, '');

const headwordOf = (entry: XmlElement): string => childrenOf(entry, 'w').map(textOf)[0] ?? '';

/** Matches the name of a language. The file has such a name wherever a word in this language is lost. */
const lostWord = /^(Arabic|Syriac|Ethiopic)$/;

const bdbKinds = readKinds('def:GLOSS pos:GRAMMAR stem:GRAMMAR asp:GRAMMAR em:EMPHASIS');

const bdbMeanings =
  (language: 'hbo' | 'arc', parse: LexiconReferences['parseHebrew']): ReadMeaning =>
  (element) => {
    const kind = bdbKinds.get(element.name);
    if (kind) return [{ kind }];
    switch (element.name) {
      case 'status':
      case 'page':
        return null;
      case 'ref':
        return (parse(element.attribute('r')) ?? []).map((verses) => ({ kind: 'REFERENCE', verses }));
      case 'w': {
        const target = element.attribute('src');
        return [target ? { kind: 'LINK', language, entry: bdbId(target) } : { kind: 'WORD', language }];
      }
      case 'foreign':
        return lostWord.test(textOf(element)) ? [] : [foreignWord(element)];
      default:
        return [];
    }
  };

const codes: Readonly<Record<string, string>> = { heb: 'hbo', he: 'hbo', fr: 'fra' };

export function foreignWord(element: XmlElement): SpanMeaning {
  const written = element.attribute('xml:lang');
  return { kind: 'WORD', language: codes[written] ?? written };
}

/** Rejects with an ImportError if the file is invalid. */
export async function readStrongsHebrew(folder: string): Promise<LexiconEntry[]> {
  const partsOfSpeech = new Map(
    (await readElements(join(folder, 'PartsOfSpeech.xml'), 'POS')).map((element) => {
      const [code, name] = ['Code', 'Name'].map((child) => childrenOf(element, child).map(textOf)[0] ?? '');
      return [code, name?.toLowerCase()];
    }),
  );
  const elements = await readElements(join(folder, 'HebrewStrong.xml'), 'entry');
  return elements.map((element) => {
    const number = element.attribute('id');
    const word = childrenOf(element, 'w')[0];
    const part = (name: string) =>
      joinParagraphs(childrenOf(element, name).map(({ children }) => readRichText(children, strongsMeanings)));
    const meaning = part('meaning');
    const derivation = part('source');
    const usage = part('usage');
    const codesOfParts = word?.attribute('pos').split(' ') ?? [];
    const links = ['source', 'meaning', 'usage'].flatMap((name) =>
      childrenOf(element, name).flatMap((child) => descendantsOf(child, 'w').map((each) => each.attribute('src'))),
    );
    return {
      id: strongsHebrewId(number),
      headword: headwordOf(element),
      homograph: null,
      transliteration: word?.attribute('xlit') || null,
      partOfSpeech: codesOfParts.flatMap((code) => partsOfSpeech.get(code) ?? []).join(' or ') || null,
      language: word?.attribute('xml:lang') === 'arc' ? 'arc' : 'hbo',
      strongs: [{ number, letter: '' }],
      // If an entry has no gloss, the words of the King James Version are used. Aramaic entries have no gloss.
      gloss: glossOf(meaning) ?? (usage.text.replace(/\.$/, '') || null),
      text: usage,
      derivation: derivation.text === '' ? null : derivation,
      senses: meaning.text === '' ? [] : [{ ...meaning, level: 0, number: null, stem: null, gloss: glossOf(meaning) }],
      related: [...new Set(links)].filter((link) => link !== '' && link !== number).map(strongsHebrewId),
    };
  });
}

const strongsMeanings: ReadMeaning = (element) => {
  if (element.name === 'def') return [{ kind: 'GLOSS' }];
  // A note about a correction by the editors of the file is left out.
  if (element.name === 'note') return null;
  const target = element.attribute('src');
  if (element.name !== 'w') return [];
  return [target ? { kind: 'LINK', entry: strongsHebrewId(target) } : { kind: 'WORD', language: 'hbo' }];
};
