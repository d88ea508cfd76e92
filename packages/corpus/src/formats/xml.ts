import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { type BookCode, isBookCode, type Place, verseOrdinal } from '@lectern/canon';
import { SaxesParser } from 'saxes';
import { type Attributes, createMarkupReader, type MarkupReader, type MarkupRules } from '../markup/reader';
import { joinLayouts, moveLayout } from '../markup/verse';
import type { FoundMetadata } from '../metadata';
import { type DraftVerse, importError, omissionRemarks } from '../translation';

interface XmlHandler {
  open: (name: string, attribute: Attributes) => void;
  close: (name: string) => void;
  text: (text: string) => void;
}

/** Returns the parser's position, for error messages: "file.xml, line 3, column 14". */
type Position = () => string;

/**
 * The maximum number of characters between two tags. Without this bound, an endless line would fill
 * the memory.
 */
const maxRunLength = 1_000_000;
const maxDepth = 500;

/**
 * Reads the name of the root element, which identifies the format. Throws an ImportError if the
 * file is not XML.
 */
export async function readRoot(file: string): Promise<string> {
  let root = '';
  await readXml(
    file,
    () => ({
      open: (name) => {
        root ||= name;
      },
      close: () => undefined,
      text: () => undefined,
    }),
    () => root !== '',
  );
  return root;
}

/**
 * Streams an XML file through a handler until `done` returns true. Element names have no namespace
 * prefix. The parser ignores DTDs, so no nested entity can grow into gigabytes, and no entity can
 * read another file. Throws an ImportError with the position in the file.
 */
async function readXml(
  file: string,
  createHandler: (position: Position) => XmlHandler,
  done: () => boolean = () => false,
): Promise<void> {
  if (!statSync(file).isFile()) throw importError(`${file} is not a file`);
  const { encoding, skip } = readEncoding(file);
  const decoder = createDecoder(file, encoding);
  const parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  const position = (): string => `${file}, line ${parser.line}, column ${parser.column}`;
  const handler = createHandler(position);
  let depth = 0;

  parser.on('error', (error) => {
    throw importError(`${position()}: ${error.message.replace(/^\d+:\d+: /, '')}`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > maxDepth) throw importError(`${position()}: elements lie more than ${maxDepth} deep`);
    handler.open(localName(tag.name), (name) => tag.attributes[name] ?? '');
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    handler.close(localName(tag.name));
  });
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));

  // The number of characters since the last "<".
  let runLength = 0;
  const write = (chunk: string): void => {
    const last = chunk.lastIndexOf('<');
    runLength = last < 0 ? runLength + chunk.length : chunk.length - last;
    if (runLength > maxRunLength)
      throw importError(
        `${position()}: more than ${maxRunLength} characters without a tag, so this is not a Bible file`,
      );
    parser.write(chunk);
  };
  const stream = createReadStream(file, { start: skip });
  for await (const bytes of stream) {
    write(decode(decoder, file, encoding, bytes as Buffer, true));
    if (done()) {
      stream.destroy();
      return;
    }
  }
  write(decode(decoder, file, encoding, Buffer.alloc(0), false));
  parser.close();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

function decode(
  decoder: InstanceType<typeof TextDecoder>,
  file: string,
  encoding: string,
  bytes: Buffer,
  stream: boolean,
): string {
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw importError(`${file} says that it is written in ${encoding}, but it holds bytes that are not`);
  }
}

function createDecoder(file: string, encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw importError(`${file} says that it is written in ${encoding}, which is not known here; save it in UTF-8`);
  }
}

/**
 * Detects the encoding in the order of the XML recommendation, appendix F: byte order mark, zero
 * bytes beside the first "<", the XML declaration, else UTF-8. `skip` is the length of the byte
 * order mark.
 */
function readEncoding(file: string): { encoding: string; skip: number } {
  const head = Buffer.alloc(256);
  const handle = openSync(file, 'r');
  const length = readSync(handle, head, 0, head.length, 0);
  closeSync(handle);
  if (length === 0) throw importError(`${file} is empty`);
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return { encoding: 'utf-8', skip: 3 };
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', skip: 2 };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', skip: 2 };
  if (head[0] === 0x3c && head[1] === 0) return { encoding: 'utf-16le', skip: 0 };
  if (head[0] === 0 && head[1] === 0x3c) return { encoding: 'utf-16be', skip: 0 };
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(head.toString('latin1', 0, length))?.[1];
  // A declaration in 8-bit characters that says UTF-16 is wrong: such a file is read as UTF-8.
  return { encoding: declared && !/^utf-?16/i.test(declared) ? declared.toLowerCase() : 'utf-8', skip: 0 };
}

/** The verses and book names of one file. */
interface CollectedVerses {
  verses: DraftVerse[];
  bookNames: ReadonlyMap<BookCode, string>;
  remarks: string[];
}

/** The result of parsing a USFX, OSIS or Zefania file. */
export type ParsedFile = CollectedVerses & { found: FoundMetadata };

/** The numbers of a verse element: "3", "1-2" or "3a". */
interface VerseNumbers {
  first: number;
  last: number;
  /**
   * Whether the element is a part of a verse, such as "3a". The parts "3a" and "3b" are joined to
   * one verse.
   */
  part: boolean;
}

const maxVerseLength = 20_000;

/** Parses "3", "1-2", "3a". Returns null if the text is not a verse number. */
export function parseVerseNumbers(text: string): VerseNumbers | null {
  const match = /^\s*(\d{1,3})([a-z]?)(?:\s*[-–—,]\s*(\d{1,3})([a-z]?))?\s*$/i.exec(text);
  if (!match) return null;
  const first = Number(match[1]);
  const last = match[3] === undefined ? first : Number(match[3]);
  if (first < 1 || last < first || last > 999) return null;
  return { first, last, part: match[2] !== '' || (match[4] ?? '') !== '' };
}

/**
 * Streams an XML file through the handler of its format, and returns the verses that the handler
 * collected.
 */
export async function collectVerses(
  file: string,
  rules: MarkupRules,
  createHandler: (markup: MarkupReader, verses: VerseCollector) => XmlHandler,
): Promise<CollectedVerses> {
  const markup = createMarkupReader(rules, { tags: true, raiseDivineName: true });
  let currentPosition: Position = () => file;
  const verses = createVerseCollector(markup, () => currentPosition());
  await readXml(file, (position) => {
    currentPosition = position;
    return createHandler(markup, verses);
  });
  return verses.finish(file);
}

/**
 * Collects verses in the order of the file, which may be any order.
 * - The text of a verse with several numbers ("1-2") is stored at the first number. The other
 *   numbers stay empty.
 * - If a number occurs twice, the first text counts. Texts that the file marks as parts ("3a",
 *   "3b") are joined.
 * - Verses of books other than the 66 are counted and left out.
 */
function createVerseCollector(markup: MarkupReader, position: Position) {
  const verses = new Map<number, DraftVerse>();
  const names = new Map<BookCode, string>();
  const otherBooks = new Set<string>();
  let skippedCount = 0;
  let emptyNumberCount = 0;
  let repeatedCount = 0;
  let current: { place: Place; part: boolean } | null = null;
  let isSkipping = false;

  const store = (place: Place, part: boolean): void => {
    const { text, words, layout } = markup.finish();
    if (text === '') return;
    if (text.length > maxVerseLength)
      throw importError(
        `${position()}: ${place.book} ${place.chapter}:${place.verse} is longer than ${maxVerseLength} characters, so this is not a verse`,
      );
    const ordinal = verseOrdinal(place);
    const previous = verses.get(ordinal);
    if (!previous) verses.set(ordinal, { ordinal, text, words, layout });
    else if (part) {
      const shift = previous.text.length + 1;
      verses.set(ordinal, {
        ordinal,
        text: `${previous.text} ${text}`,
        words: [...previous.words, ...words.map((word) => ({ ...word, start: word.start + shift }))],
        layout: joinLayouts(
          previous.layout,
          moveLayout(layout, (offset) => offset + shift),
        ),
      });
    } else repeatedCount += 1;
  };
  const end = (): void => {
    if (current) store(current.place, current.part);
    else if (isSkipping && markup.finish().text !== '') skippedCount += 1;
    current = null;
    isSkipping = false;
  };

  return {
    /**
     * Ends the previous verse and begins a new one. `book` is a USFM code, or another name beyond
     * the 66 books.
     */
    begin(book: string, chapter: number, numbers: VerseNumbers): void {
      end();
      markup.start();
      if (!isBookCode(book)) {
        otherBooks.add(book);
        isSkipping = true;
        return;
      }
      if (!Number.isInteger(chapter) || chapter < 1 || chapter > 999)
        throw importError(`${position()}: verse ${numbers.first} of ${book} stands in no chapter`);
      emptyNumberCount += numbers.last - numbers.first;
      current = { place: { book, chapter, verse: numbers.first }, part: numbers.part };
    },
    end,
    /**
     * Stores a book's name. Ignores a second name of the same book, and names of more than 60
     * characters.
     */
    nameBook(book: string, name: string): void {
      const tidy = name.replace(/\s+/g, ' ').trim().normalize('NFC');
      if (isBookCode(book) && tidy !== '' && tidy.length <= 60 && !names.has(book)) names.set(book, tidy);
    },
    finish(file: string): CollectedVerses {
      end();
      if (verses.size === 0) throw importError(`${file} holds no verse of the 66 books`);
      const remarks = omissionRemarks(skippedCount, [...otherBooks].slice(0, 30), emptyNumberCount);
      if (repeatedCount > 0)
        remarks.push(`numbers that occur twice, of which the first text is kept: ${repeatedCount}`);
      return { verses: [...verses.values()].sort((a, b) => a.ordinal - b.ordinal), bookNames: names, remarks };
    },
  };
}
export type VerseCollector = ReturnType<typeof createVerseCollector>;
