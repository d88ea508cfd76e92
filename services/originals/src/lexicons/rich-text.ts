import { isBookCode, toStandard } from '@lectern/canon';
import { codeOfOsisBook, readXml } from '@lectern/corpus';
import { createVersesAndParser, type VerseSpan } from '@lectern/reference-works';
import { readPairs } from '../script/fold';

/** An element of an XML file with its attributes and its contents. */
export interface XmlElement {
  readonly name: string;
  /** Returns '' for an absent attribute. */
  readonly attribute: (name: string) => string;
  readonly children: readonly (XmlElement | string)[];
}

type OpenElement = XmlElement & { readonly children: (XmlElement | string)[] };

/** Returns an element inside one of its name only as its child. Rejects with an ImportError that has the position. */
export async function readElements(file: string, wanted: string): Promise<XmlElement[]> {
  const found: XmlElement[] = [];
  const open: OpenElement[] = [];
  await readXml(file, {}, () => ({
    open(name, attribute) {
      if (name !== wanted && open.length === 0) return;
      const element: OpenElement = { name, attribute, children: [] };
      (open.at(-1)?.children ?? found).push(element);
      open.push(element);
    },
    close: () => void open.pop(),
    text: (text) => void open.at(-1)?.children.push(text),
  }));
  return found;
}

/** Returns the direct children of an element that have one of these names. */
export const childrenOf = ({ children }: XmlElement, ...names: readonly string[]): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string' && names.includes(child.name));

/** Returns the elements of a name inside an element, at every depth, in order. */
export const descendantsOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(child.name === name ? [child] : []), ...descendantsOf(child, name)],
  );

/** Returns the text of an element on one line. */
export const textOf = (element: XmlElement): string => rawText(element).replace(/\s+/g, ' ').trim();

const rawText = ({ children }: XmlElement): string =>
  children.map((child) => (typeof child === 'string' ? child : rawText(child))).join('');

export type SpanKind = 'GLOSS' | 'WORD' | 'GRAMMAR' | 'EMPHASIS' | 'REFERENCE' | 'LINK';

/** Reads a table of XML elements and the kinds of their texts, such as `def:GLOSS em:EMPHASIS`. */
export const readKinds = (table: string) => readPairs(table) as ReadonlyMap<string, SpanKind>;

/** What a range of a text is, such as a link or a reference. */
export interface SpanMeaning {
  readonly kind: SpanKind;
  /** The language of a foreign word, as an ISO 639-3 code. */
  readonly language?: string;
  /** The id of the entry to which a LINK leads. */
  readonly entry?: string;
  /** The verses that a REFERENCE names, as the King James Version numbers them. */
  readonly verses?: VerseSpan;
}

export interface TextSpan extends SpanMeaning {
  /** The start of the range, in UTF-16 units from 0. */
  readonly start: number;
  readonly length: number;
}

/** A plain text with one paragraph on each line, and its ranges with their meanings. */
export interface RichText {
  readonly text: string;
  readonly spans: readonly TextSpan[];
}

/** Several meanings if a reference names several ranges of verses. Null if the text must be left out. */
export type ReadMeaning = (element: XmlElement) => readonly SpanMeaning[] | null;

/** Reads elements as one line of text. Each run of white space becomes one space. */
export function readRichText(nodes: readonly (XmlElement | string)[], meaningsOf: ReadMeaning): RichText {
  let text = '';
  const spans: TextSpan[] = [];
  const add = (node: XmlElement | string): void => {
    if (typeof node === 'string') {
      const line = node.replace(/\s+/g, ' ');
      text += text === '' || text.endsWith(' ') ? line.trimStart() : line;
      return;
    }
    const meanings = meaningsOf(node);
    if (!meanings) return;
    const [from, at] = [text.length, spans.length];
    node.children.forEach(add);
    const inside = text.slice(from);
    const length = inside.trim().length;
    const start = from + inside.length - inside.trimStart().length;
    if (length === 0 || meanings.length === 0) return;
    // An inner span of the same words is dropped: a word that is marked as foreign and as a link is only a link.
    if (spans[at]?.start === start && spans[at]?.length === length) spans.splice(at, 1);
    spans.splice(at, 0, ...meanings.map((meaning) => ({ start, length, ...meaning })));
  };
  nodes.forEach(add);
  return { text: text.trimEnd(), spans };
}

/** Joins texts as paragraphs. Empty texts are left out. */
export function joinParagraphs(texts: readonly RichText[]): RichText {
  let joined = '';
  const spans: TextSpan[] = [];
  for (const each of texts) {
    if (each.text === '') continue;
    if (joined !== '') joined += '\n';
    spans.push(...each.spans.map((span) => ({ ...span, start: span.start + joined.length })));
    joined += each.text;
  }
  return { text: joined, spans };
}

/** The maximum number of glosses that are joined, because a long entry has hundreds. */
const maxGlosses = 5;

/** Joins the first glosses of a text. Returns null if it has none. */
export function glossOf({ text, spans }: RichText): string | null {
  const glosses = spans
    .filter(({ kind }) => kind === 'GLOSS')
    .map(({ start, length }) => text.slice(start, start + length));
  return [...new Set(glosses)].slice(0, maxGlosses).join(', ') || null;
}

/**
 * Creates the parsers of `Ps.51.3` and `Gen.4.4-Gen.4.10`, for the verse numbers of the King James Version and of the
 * Hebrew Bible. They return null if the verses do not exist or the book is not one of the 66.
 */
export function createLexiconReferences() {
  const { parser } = createVersesAndParser();
  const parseStandard = (reference: string): VerseSpan[] | null => parser.parse(reference.replace(/![a-z]\b/g, ''));
  const parseHebrew = (reference: string): VerseSpan[] | null =>
    parseStandard(reference.replace(/\b(\w+)\.(\d+)\.(\d+)/g, standardOf));
  return { parseStandard, parseHebrew };
}
export type LexiconReferences = ReturnType<typeof createLexiconReferences>;

function standardOf(reference: string, osis: string, chapter: string, verse: string): string {
  const book = codeOfOsisBook(osis);
  const place = isBookCode(book)
    ? toStandard('hebrew', { book, chapter: Number(chapter), verse: Number(verse) })
    : null;
  return place ? `${osis}.${place.chapter}.${place.verse}` : reference;
}
