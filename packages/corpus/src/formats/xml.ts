import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { SaxesParser } from 'saxes';
import { type Attributes, createMarkupReader, type MarkupReader, type MarkupRules } from '../markup/reader';
import type { FoundMetadata, GivenMetadata } from '../resolve-metadata';
import { describePosition, importError, type Position } from '../translation';
import { createVerseCollector, type ParsedFile, type VerseCollector } from './verse-collector';

/** A file of a folder or a zip file, in memory. The name is for messages. */
export interface NamedBytes {
  name: string;
  readonly bytes: Uint8Array;
}

export interface XmlHandler {
  open: (name: string, attribute: Attributes) => void;
  /** Called at the end of an element. `ownText` is the text of this element alone, without its child elements. */
  close: (name: string, ownText: string) => void;
  text: (text: string) => void;
}

/** The maximum number of characters between two tags. It limits the memory for a file without tags. */
const maxRunLength = 1_000_000;
const maxDepth = 500;

/** Reads the name of the root element. Throws an ImportError if the file is not XML. */
export async function readRoot(file: string, given: GivenMetadata): Promise<string> {
  let root = '';
  const handler = { open: (name: string) => void (root ||= name), close: () => undefined, text: () => undefined };
  await readXml(
    file,
    given,
    () => handler,
    () => root !== '',
  );
  return root;
}

/** Reads an XML file, or all of a folder: verses into `verses`, metadata into `found`. Rejects with an ImportError. */
export async function parseXml(
  file: string,
  sources: readonly (string | NamedBytes)[],
  given: GivenMetadata,
  rules: MarkupRules,
  createHandler: (markup: MarkupReader, verses: VerseCollector, found: FoundMetadata) => XmlHandler,
): Promise<ParsedFile> {
  const markup = createMarkupReader(rules);
  const found: FoundMetadata = { name: '', abbrev: '', language: '', note: '' };
  let position = (): Position => ({ file, line: null });
  const verses = createVerseCollector(markup, () => position(), given, true);
  for (const source of sources)
    await readXml(source, given, (parserPosition) => {
      position = parserPosition;
      return createHandler(markup, verses, found);
    });
  return verses.finish(file, found);
}

/**
 * Streams an XML file to a handler until `isDone`. Names have no prefix. The parser ignores DTDs, so no entity can grow
 * into gigabytes or read a file. Throws an ImportError with the position. With `keepGoing`, damaged characters become
 * U+FFFD.
 */
export async function readXml(
  source: string | NamedBytes,
  { keepGoing = false }: GivenMetadata,
  createHandler: (position: () => Position) => XmlHandler,
  isDone = () => false,
): Promise<void> {
  const file = typeof source === 'string' ? source : source.name;
  const encoding = readEncoding(file, typeof source === 'string' ? readHead(source) : source.bytes);
  const decode = createDecoder(file, encoding, keepGoing);
  const parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  const position = (): Position => ({ file, line: parser.line, column: parser.column });
  const handler = createHandler(position);
  /** The text so far of each open element, from the outermost to the innermost. */
  const texts: string[] = [];
  const addText = (text: string): void => {
    const outer = texts.pop();
    if (outer !== undefined) texts.push(outer + text);
    handler.text(text);
  };

  let hasRoot = false;
  parser.on('error', (error) => {
    const isText = !hasRoot && error.message.includes('text data outside of root node');
    const message = isText ? 'it is no XML, and has no \\id of USFM' : error.message.replace(/^\d+:\d+: /, '');
    throw importError(`${describePosition(position())}: ${message}`);
  });
  parser.on('opentag', (tag) => {
    hasRoot = true;
    texts.push('');
    if (texts.length > maxDepth)
      throw importError(`${describePosition(position())}: elements lie more than ${maxDepth} deep`);
    handler.open(localName(tag.name), (name) => tag.attributes[name] ?? '');
  });
  parser.on('closetag', (tag) => handler.close(localName(tag.name), texts.pop() ?? ''));
  parser.on('text', addText);
  parser.on('cdata', addText);

  // The number of characters since the last "<".
  let runLength = 0;
  const write = (chunk: string): void => {
    const last = chunk.lastIndexOf('<');
    runLength = last < 0 ? runLength + chunk.length : chunk.length - last;
    if (runLength > maxRunLength)
      throw importError(
        `${describePosition(position())}: more than ${maxRunLength} characters without a tag, so this is not a Bible file`,
      );
    parser.write(chunk);
  };
  const chunks = typeof source === 'string' ? createReadStream(source) : Readable.from([source.bytes]);
  for await (const bytes of chunks) {
    write(decode(bytes as Buffer));
    if (isDone()) return;
  }
  write(decode());
  parser.close();
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Matches the control characters that XML does not allow. NUL, with which some editors fill files, is removed. */
// oxlint-disable-next-line no-control-regex
const disallowed = /[\u0001-\u0008\u000B\u000C\u000E-\u001F]/g;

/** Creates the function that decodes a file, chunk by chunk. The last call passes no chunk, and returns the rest. */
function createDecoder(file: string, encoding: string, keepGoing: boolean): (bytes?: Buffer) => string {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(encoding, { fatal: !keepGoing });
  } catch {
    throw importError(`${file} says that it is written in ${encoding}, which is not known here; save it in UTF-8`);
  }
  return (bytes) => {
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined }).replaceAll('\0', '');
      return keepGoing ? text.replace(disallowed, '\uFFFD') : text;
    } catch {
      throw importError(
        `${file} says that it is written in ${encoding}, but it holds bytes that are not; correct them, or leave such verses out with --keep-going`,
      );
    }
  };
}

/** Detects the encoding by first bytes or declaration (XML recommendation, appendix F). The default is UTF-8. */
function readEncoding(file: string, head: Uint8Array): string {
  if (head.length === 0) throw importError(`${file} is empty`);
  const start = Buffer.from(head.subarray(0, 256)).toString('latin1');
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)?.[1] ?? 'utf-8';
  // A declaration of UTF-16 that could be read as 8-bit characters is wrong. Such a file is read as UTF-8.
  return unicodeEncoding(head) ?? (/^utf-?16/i.test(declared) ? 'utf-8' : declared.toLowerCase());
}

/** Detects UTF-16, by its byte order mark or by the zero byte of the first character. */
export const decodeHead = (bytes: Uint8Array): string =>
  new TextDecoder(unicodeEncoding(bytes) ?? 'utf-8').decode(bytes);

export function unicodeEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  return (first === 0xfe && second === 0xff) || (first === 0 && second !== 0) ? 'utf-16be' : null;
}

export function readHead(file: string, length = 256): Uint8Array {
  const stats = statSync(file);
  if (!stats.isFile()) throw importError(`${file} is not a file`);
  const head = Buffer.alloc(Math.min(length, stats.size));
  const handle = openSync(file, 'r');
  try {
    return head.subarray(0, readSync(handle, head));
  } finally {
    closeSync(handle);
  }
}
