import { readAttribute, tokenizeMarkup } from '@lectern/corpus';
import type { OsisReferenceParser } from './references';
import type { VerseSpan } from './spans';

/** A reference in a text, with its range in UTF-16 units. */
export interface TextReference {
  readonly start: number;
  readonly length: number;
  readonly spans: readonly VerseSpan[];
}

/** A part of a note that begins on a new line, such as a paragraph or a title. */
interface NoteBlock {
  isTitle: boolean;
  /** The text of the block on one line, without markup. */
  text: string;
  /** The length of the bold words at the start of `text`, or 0. */
  boldLength: number;
  readonly references: TextReference[];
  /** The `osisRef` attributes of references to verses that do not exist. */
  readonly unresolved: string[];
}

const blockElements = new Set('chapter div item l lb lg list p row table title'.split(' '));

/** Matches HTML tags that remain after decoding. Some modules have "&lt;/ol&gt;" in the text of a note. */
const encodedTags = /<\/?(?:b|br|i|li|ol|p|ul)>/g;

/** Reads an entry of a commentary as blocks. Leaves out blocks without text. */
export function readNoteMarkup(entry: string, parser: OsisReferenceParser): NoteBlock[] {
  const blocks: NoteBlock[] = [];
  let block = emptyBlock();
  let isBoldAtStart = false;
  let open: { osisRef: string; start: number } | null = null;
  const finishBlock = (): void => {
    block.text = block.text.trimEnd();
    // Scofield's notes have this printed text for a link to the first chapter of a book.
    if (block.text !== '' && !/^Read first chapter of [\w ]+$/.test(block.text)) blocks.push(block);
    block = emptyBlock();
    isBoldAtStart = false;
    open = null;
  };
  const write = (more: string): void => {
    const line = more.replace(encodedTags, '').replace(/\s+/gu, ' ');
    block.text += block.text === '' || block.text.endsWith(' ') ? line.trimStart() : line;
  };
  for (const { kind, name, text, attributes } of tokenizeMarkup(entry)) {
    if (blockElements.has(name)) finishBlock();
    if (kind === 'text') write(text);
    if (name === 'cell') write(' ');
    if (name === 'title' && kind === 'open') block.isTitle = true;
    if (name === 'hi') {
      if (kind === 'close' && isBoldAtStart) block.boldLength = block.text.trimEnd().length;
      isBoldAtStart = kind === 'open' && block.text === '' && readAttribute(attributes, 'type') === 'bold';
    }
    if (name === 'reference') {
      if (kind === 'close' && open) addReference(block, open, parser);
      open = kind === 'open' ? { osisRef: readAttribute(attributes, 'osisRef'), start: block.text.length } : null;
    }
  }
  finishBlock();
  return blocks;
}

const emptyBlock = (): NoteBlock => ({ isTitle: false, text: '', boldLength: 0, references: [], unresolved: [] });

/** Adds the reference that begins at `start` and ends at the current end of the text. */
function addReference(
  { text, references, unresolved }: NoteBlock,
  { osisRef, start }: { osisRef: string; start: number },
  parser: OsisReferenceParser,
): void {
  const written = text.slice(start);
  const spans = parser.parseOfModule(osisRef);
  const first = start + written.length - written.trimStart().length;
  if (spans) references.push({ start: first, length: written.trim().length, spans });
  else unresolved.push(osisRef);
}

/** A part of an entry, with the heading that it has. */
export interface NotePart {
  heading: string | null;
  /** Whether the heading is a `title` element. If false, it is the bold words at the start of a paragraph. */
  readonly isTitled: boolean;
  /** The paragraphs, one on each line. */
  text: string;
  readonly references: TextReference[];
  readonly unresolved: string[];
}

/** A part begins at each title and at a paragraph's first bold words, which join the next ones if no text follows. */
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

/** Returns the length of a title. In "EXPOSITION (The reader ...", only the words in capitals are the title. */
const titleLength = (text: string): number => {
  const capitals = /^[\p{Lu}\s.,]{8,}(?=[\s(]{1,4}\p{Lu}\p{Ll})/u.exec(text)?.[0] ?? text;
  return capitals.trimEnd().length;
};

/** Appends a block to a part: the text after the block's heading, as a new line, and the references in this text. */
function append(part: NotePart, { text, references, unresolved }: NoteBlock, headingLength: number): void {
  const following = text.slice(headingLength);
  // Punctuation directly after the heading belongs to it, so it is no part of the text.
  const line = following.replace(headingLength > 0 ? /^\s*(?:[:;,.]\s+)?/ : /^\s*/, '');
  const separator = part.text === '' || line === '' ? '' : '\n';
  // What to add to an offset in the block to get the offset in the part.
  const shift = part.text.length + separator.length - (headingLength + following.length - line.length);
  for (const reference of references)
    if (reference.start >= headingLength) part.references.push({ ...reference, start: reference.start + shift });
  part.text += separator + line;
  part.unresolved.push(...unresolved);
}
