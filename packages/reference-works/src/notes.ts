import { readAttribute, tokenizeMarkup } from '@lectern/corpus';
import type { OsisReferenceParser } from './references';
import type { VerseSpan } from './spans';

/** A reference inside a text. `start` and `length` count UTF-16 units. */
export interface TextReference {
  readonly start: number;
  readonly length: number;
  readonly spans: readonly VerseSpan[];
}

/** A paragraph, a title or another part of a note that begins on a new line. */
interface NoteBlock {
  readonly isTitle: boolean;
  /** One line without markup. */
  readonly text: string;
  /** The length of the bold words at the start of `text`, or 0. */
  readonly boldLength: number;
  readonly references: readonly TextReference[];
  /** The `osisRef` attributes of the references that do not name existing verses. */
  readonly unresolved: readonly string[];
}

const blockElements = new Set('chapter div item l lb lg list p row table title'.split(' '));

/** Reads the blocks of one entry of a commentary. Blocks without text are left out. */
export function readNoteMarkup(entry: string, parser: OsisReferenceParser): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let writer = createBlockWriter(parser);
  const finishBlock = (): void => {
    const block = writer.finish();
    if (block.text !== '') blocks.push(block);
    writer = createBlockWriter(parser);
  };
  for (const { kind, name, text, attributes } of tokenizeMarkup(entry)) {
    if (blockElements.has(name)) finishBlock();
    if (kind === 'text') writer.write(text);
    if (name === 'cell') writer.write(' ');
    if (name === 'title' && kind === 'open') writer.markTitle();
    if (name === 'reference' && kind === 'open') writer.openReference(readAttribute(attributes, 'osisRef'));
    if (name === 'reference' && kind === 'close') writer.closeReference();
    if (name === 'hi' && kind === 'open') writer.openHighlight(readAttribute(attributes, 'type') === 'bold');
    if (name === 'hi' && kind === 'close') writer.closeHighlight();
  }
  finishBlock();
  return blocks;
}

/** Matches HTML tags in a decoded text. Some modules have "&lt;/ol&gt;" in the text of a note. */
const encodedTags = /<\/?(?:b|br|i|li|ol|p|ul)>/g;

function createBlockWriter(parser: OsisReferenceParser) {
  let text = '';
  let isTitle = false;
  let boldLength = 0;
  let isBoldAtStart = false;
  let open: { osisRef: string; start: number } | null = null;
  const references: TextReference[] = [];
  const unresolved: string[] = [];
  return {
    write(more: string): void {
      const line = more.replace(encodedTags, '').replace(/\s+/gu, ' ');
      text += text === '' || text.endsWith(' ') ? line.trimStart() : line;
    },
    markTitle: (): void => void (isTitle = true),
    openReference: (osisRef: string): void => void (open = { osisRef, start: text.length }),
    closeReference(): void {
      if (!open) return;
      const written = text.slice(open.start);
      const start = open.start + written.length - written.trimStart().length;
      const spans = parser.parseOfModule(open.osisRef);
      if (spans) references.push({ start, length: written.trim().length, spans });
      else unresolved.push(open.osisRef);
      open = null;
    },
    openHighlight: (isBold: boolean): void => void (isBoldAtStart = isBold && text === ''),
    closeHighlight(): void {
      if (isBoldAtStart) boldLength = text.trimEnd().length;
      isBoldAtStart = false;
    },
    finish: (): NoteBlock => ({ isTitle, text: text.trimEnd(), boldLength, references, unresolved }),
  };
}

/** A part of an entry under one heading. */
export interface NotePart {
  heading: string | null;
  /** Whether the heading is a `title` element, and not bold words at the start of a paragraph. */
  readonly isTitled: boolean;
  /** The paragraphs, one on each line. */
  text: string;
  readonly references: TextReference[];
  readonly unresolved: string[];
}

/**
 * Divides the blocks of an entry into parts, before each title and before each paragraph that
 * begins with bold words. Joins bold words without text after them with the next bold words.
 */
export function splitAtHeadings(blocks: readonly NoteBlock[]): NotePart[] {
  const parts: NotePart[] = [];
  for (const block of blocks) {
    const headingLength = block.isTitle ? titleLength(block.text) : block.boldLength;
    const heading = block.text.slice(0, headingLength).trim();
    let part = parts.at(-1);
    if (part && heading !== '' && part.text === '' && !part.isTitled && !block.isTitle) {
      if (part.heading !== heading) part.heading = part.heading === null ? heading : `${part.heading}; ${heading}`;
    } else if (!part || heading !== '') {
      part = { heading: heading || null, isTitled: block.isTitle, text: '', references: [], unresolved: [] };
      parts.push(part);
    }
    append(part, block, headingLength);
  }
  return parts;
}

/**
 * Returns the length of the heading in a `title` element, usually the whole title. Some titles have
 * words in capitals and then a whole sentence ("EXPOSITION (The reader ..."). Of these, only the
 * words in capitals are the heading.
 */
const titleLength = (text: string): number => {
  const capitals = /^[\p{Lu}\s.,]{8,}(?=[\s(]+\(?\p{Lu}\p{Ll})/u.exec(text)?.[0] ?? text;
  return capitals.trimEnd().length;
};

/** Adds the text after the heading of a block to a part, as a new line, and its references. */
function append(part: NotePart, { text, references, unresolved }: NoteBlock, headingLength: number): void {
  const following = text.slice(headingLength);
  // The punctuation after a heading is left out, because it belongs to the heading.
  const line = following.replace(headingLength > 0 ? /^\s*(?:[:;,.]\s+)?/ : /^\s*/, '');
  const separator = part.text === '' || line === '' ? '' : '\n';
  // The offset of the line in the part minus its offset in the block.
  const shift = part.text.length + separator.length - (headingLength + following.length - line.length);
  for (const reference of references)
    if (reference.start >= headingLength) part.references.push({ ...reference, start: reference.start + shift });
  part.text += separator + line;
  part.unresolved.push(...unresolved);
}
