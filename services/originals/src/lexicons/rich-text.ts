import type { VerseSpan } from '@lectern/reference-works';
import type { XmlElement } from './xml-tree';

export type SpanKind = 'GLOSS' | 'WORD' | 'GRAMMAR' | 'EMPHASIS' | 'REFERENCE' | 'LINK';

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

/**
 * Returns the meanings of an element's text. There are several if a reference names several ranges of verses. Returns
 * null if the text must be left out.
 */
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
    // If an inner span covers this whole element, only the span of this element is kept: a word that is marked as
    // foreign and as a link is only a link.
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
