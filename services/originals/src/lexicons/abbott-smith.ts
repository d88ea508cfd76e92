import { join } from 'node:path';
import { expandPartOfSpeech, type LexiconEntry, readSenses } from './entry';
import { foreignWord, strongsHebrewId } from './hebrew';
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

/** The lemma of an entry. Some lemmas have numbers after them: `ἅγιος|G40`. */
const lemmaOf = (element: XmlElement): string => element.attribute('lemma').split('|')[0] ?? '';

const idOf = (lemma: string): string => `abbott-smith:${lemma.normalize('NFC')}`;

/** Matches the mark that distinguishes lemmas with the same spelling: `ἄν_2`, `εὐθύς(2)`. */
const homographMark = /[_(](\d)\)?$/;

/** Leaves out the irregular verbs at the end, which have no lemmas. Rejects with an ImportError for an invalid file. */
export async function readAbbottSmith(folder: string, references: LexiconReferences): Promise<LexiconEntry[]> {
  const file = join(folder, 'abbott-smith.tei_lemma.xml');
  const elements = (await readElements(file, 'entry')).filter((element) => lemmaOf(element) !== '');
  const ids = new Map<string, string>();
  const idOfElement = new Map<XmlElement, string>();
  for (const element of elements) {
    const lemma = lemmaOf(element);
    // One lemma has two entries with the same spelling, so the second entry gets another id.
    const id = idOf(ids.has(idOf(lemma)) ? `${lemma}_2` : lemma);
    idOfElement.set(element, id);
    for (const name of [id, idOf(lemma.replace(homographMark, ''))]) if (!ids.has(name)) ids.set(name, id);
  }
  const meaningsOf = createMeanings(references, (lemma) => ids.get(idOf(lemma)));
  return elements.map((element) => readEntry(element, idOfElement.get(element) ?? '', meaningsOf));
}

function readEntry(element: XmlElement, id: string, meaningsOf: (isDerivation: boolean) => ReadMeaning): LexiconEntry {
  const lemma = lemmaOf(element);
  const readText = meaningsOf(false);
  const paragraphs = (name: string, readMeaning: ReadMeaning) =>
    joinParagraphs(childrenOf(element, name).map((child) => readRichText(child.children, readMeaning)));
  // An entry has known parts, such as senses. Text between them is shown in the line of the headword.
  const isOther = (child: XmlElement | string): boolean =>
    typeof child === 'string' || !['sense', 'etym', 're', 'note'].includes(child.name);
  const text = joinParagraphs([readRichText(element.children.filter(isOther), readText), paragraphs('re', readText)]);
  const derivation = paragraphs('etym', meaningsOf(true));
  const senses = readSenses(element, readText);
  const links = [text, derivation, ...senses].flatMap(({ spans }) => spans.flatMap(({ entry }) => entry ?? []));
  return {
    id,
    headword: lemma.replace(homographMark, '').replaceAll('_', ' '),
    homograph: homographMark.exec(lemma)?.[1] ?? null,
    transliteration: null,
    partOfSpeech: partOfSpeechOf(element, text.text),
    language: 'grc',
    // A number with a letter, such as G1096a, is left out, because it is not one of Strong's own numbers.
    strongs: [...element.attribute('lemma').split('|').slice(1), ...element.attribute('strong').split('|')].flatMap(
      (number) => {
        const [, digits] = /^G0*([1-9]\d*)$/.exec(number) ?? [];
        return digits === undefined ? [] : [{ number: `G${digits}`, letter: '' }];
      },
    ),
    gloss: senses.map(({ gloss }) => gloss).find((gloss) => gloss !== null) ?? glossOf(text),
    text,
    derivation: derivation.text === '' ? null : derivation,
    senses,
    related: [...new Set(links)].filter((link) => link !== id && link.startsWith('abbott-smith:')),
  };
}

const genders: Readonly<Record<string, string>> = { ὁ: 'masculine', ἡ: 'feminine', τό: 'neuter' };

/** Returns the part of speech as printed. If an article follows the headword, the part of speech is a noun. */
function partOfSpeechOf(element: XmlElement, text: string): string | null {
  const [printed] = descendantsOf(element, 'gramGrp')
    .flatMap((group) => childrenOf(group, 'pos'))
    .map(textOf);
  if (printed) return expandPartOfSpeech(printed);
  const [, article = ''] = /^[^(]*?, (ὁ|ἡ|τό)(?![\p{L}\p{M}])/u.exec(text) ?? [];
  return genders[article] ? `noun ${genders[article]}` : null;
}

const kinds = readKinds('gloss:GLOSS emph:EMPHASIS gramGrp:GRAMMAR tns:GRAMMAR mood:GRAMMAR gram:GRAMMAR');

/** In a derivation, each Greek word that is a lemma becomes a link. Elsewhere, only words marked as references do. */
function createMeanings(
  { parseStandard, parseHebrew }: LexiconReferences,
  findEntry: (lemma: string) => string | undefined,
) {
  const linkOf = (lemma: string): SpanMeaning[] => {
    const entry = findEntry(lemma);
    return entry === undefined ? [] : [{ kind: 'LINK', language: 'grc', entry }];
  };
  return (isDerivation: boolean): ReadMeaning =>
    (element) => {
      const kind = kinds.get(element.name);
      if (kind) return [{ kind }];
      switch (element.name) {
        case 'note':
          return null;
        case 'foreign': {
          const hebrew = element.attribute('n');
          const word = foreignWord(element);
          if (/^H\d+$/.test(hebrew)) return [{ ...word, kind: 'LINK', entry: strongsHebrewId(hebrew) }];
          const links = isDerivation && word.language === 'grc' ? linkOf(textOf(element)) : [];
          return links.length > 0 ? links : [word];
        }
        case 'ref': {
          const reference = element.attribute('osisRef');
          if (reference === '') return linkOf(element.attribute('target').slice(1) || textOf(element));
          // References to the Septuagint are left out, because it numbers chapters differently.
          if (reference.startsWith('LXX:')) return [];
          // Cites a verse of the Old Testament as the King James Version numbers it, else as the Hebrew Bible does.
          const spans = parseStandard(reference) ?? parseHebrew(reference) ?? [];
          return spans.map((verses) => ({ kind: 'REFERENCE', verses }));
        }
        default:
          return [];
      }
    };
}
