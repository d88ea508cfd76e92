import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { buf as crc32 } from 'crc-32';
import { openPromise } from 'yauzl';
import { type Attributes, createMarkupReader } from '../markup/reader';
import { createUsfmReader, type UsfmReader } from '../markup/usfm-reader';
import { isTextParagraph, usfmRules } from '../markup/usfm-rules';
import type { FoundMetadata, GivenMetadata } from '../resolve-metadata';
import { importError, isImportError, messageOf, type Position } from '../translation';
import { createDocumentCollector } from './document-collector';
import { isMetadataFile, readMetadata } from './metadata';
import { parseOsis } from './osis';
import { isUsfm, isUsfmWithoutId, readUsfm } from './usfm';
import { createVerseCollector, type ParsedFile } from './verse-collector';
import { decodeHead, type NamedBytes, readHead, readXml, unicodeEncoding, type XmlHandler } from './xml';

const maxFiles = 2_000;
const maxFileBytes = 32_000_000;
const maxTotalBytes = 256_000_000;
const maxDepth = 6;

/** Matches the first bytes of gzip, 7-Zip, RAR, bzip2 and XZ files, and of an empty zip file. */
// oxlint-disable-next-line no-control-regex
const otherArchive = /^(?:\x1f\x8b|7z\xbc\xaf|Rar!|BZh|\xfd7zXZ|PK\x05\x06)/;

/** Returns whether a file is an archive that is not read. */
export const isOtherArchive = (file: string): boolean =>
  otherArchive.test(Buffer.from(readHead(file, 6)).toString('latin1'));

export const isZip = (file: string): boolean => Buffer.from(readHead(file, 4)).toString('latin1') === 'PK\u0003\u0004';

/** The files of a Bible in USFM or USX, or of one in OSIS with a file for each book: its books and its metadata, sorted by name. */
interface BookFiles {
  format: 'USFM' | 'USX' | 'OSIS';
  books: NamedBytes[];
  metadata: NamedBytes[];
}

/**
 * Finds the books of a Bible in USFM, USX or OSIS in a folder with its subfolders or a zip file, or a single file in
 * USFM or USX. It recognizes them by their contents, not by their names. Resolves with null if there are none.
 */
export async function findBooks(source: string): Promise<BookFiles | null> {
  const files = statSync(source).isDirectory()
    ? filesOfFolder(source)
    : isZip(source)
      ? await filesOfZip(source)
      : ['USFM', 'USX'].includes(fileFormat(source) ?? '')
        ? [fileAt(source)]
        : [];
  const formats = new Map(files.map((file) => [file, formatOf((length) => file.bytes.subarray(0, length))]));
  for (const format of ['USX', 'USFM', 'OSIS'] as const)
    if ([...formats.values()].includes(format)) {
      files.sort((a, b) => (a.name < b.name ? -1 : 1));
      return {
        format,
        books: files.filter((file) => formats.get(file) === format),
        metadata: files.filter(({ name }) => isMetadataFile(name)),
      };
    }
  return null;
}

/** Reads all books. Rejects with an ImportError if a file is invalid. */
export async function parseBooks(
  source: string,
  { format, books, metadata }: BookFiles,
  given: GivenMetadata,
): Promise<ParsedFile> {
  if (format === 'OSIS') return parseOsis(source, given, books);
  const markup = createMarkupReader(usfmRules);
  let position = (): Position => ({ file: source, line: null });
  const verses = createVerseCollector(markup, () => position(), given);
  const collector = createDocumentCollector(() => position());
  const reader = createUsfmReader(markup, verses, collector, () => position());
  const titles = new Map<string, number>();
  // Some teams write a file name or a dash before the name of the translation.
  const addTitle = (text: string): void => {
    const title = text.replace(/^\S+\.\w{2,5}\s+|^\s*[-–—]\s*/, '').trim();
    titles.set(title, (titles.get(title) ?? 0) + 1);
  };
  for (const book of books) {
    if (format === 'USX') {
      await readXml(book, given, (parserPosition) => {
        position = parserPosition;
        return createUsxHandler(reader, addTitle);
      });
    } else {
      let line = 1;
      position = () => ({ file: book.name, line });
      const { text, problem } = decode(book, given);
      if (problem !== null) verses.report('encoding', null, problem, { file: book.name, line: null });
      addTitle(readUsfm(text, reader, (next) => (line = next)));
    }
    reader.end();
  }
  // The text after the code of a book names the translation if more than half of the books have it.
  const name = [...titles.keys()].find((title) => (titles.get(title) ?? 0) * 2 > books.length) ?? '';
  const found: FoundMetadata = { name, abbrev: '', language: '', note: '', ...(await readMetadata(metadata)) };
  const parsed = verses.finish(source, found);
  const { documents, remarks } = collector.finish();
  return { ...parsed, documents, remarks: [...parsed.remarks, ...remarks] };
}

export function digestBooks({ books, metadata }: BookFiles): string {
  const hash = createHash('sha256');
  for (const { name, bytes } of [...books, ...metadata]) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  return hash.digest('hex');
}

const headBytes = 16_384;

/** Recognizes the format of a file. `read` returns its first bytes, at most `length`. */
function formatOf(read: (length: number) => Uint8Array): BookFiles['format'] | null {
  const head = decodeHead(read(headBytes));
  // Long comments may precede the root element.
  const root = rootOf(head) ?? rootOf(decodeHead(read(maxFileBytes)));
  if (root === 'usx' || root === 'usfm') return 'USX';
  if (root === 'osis') return 'OSIS';
  return isUsfm(head) || isUsfmWithoutId(head) ? 'USFM' : null;
}

/** Matches blanks. The byte order mark is one. */
const blanks = /\s*/y;
const rootTag = /<(\w{1,20})[\s>]/y;
const maxRootTagLength = 22;

/** Returns the name of an XML file's root element, '' without one, or null if it ends before. Reads characters once. */
function rootOf(text: string): string | null {
  for (let at = 0; ; ) {
    blanks.lastIndex = at;
    at += blanks.exec(text)?.[0].length ?? 0;
    const end = text.startsWith('<!--', at) ? '-->' : text.startsWith('<?xml', at) ? '>' : null;
    if (end === null) {
      rootTag.lastIndex = at;
      return rootTag.exec(text)?.[1] ?? (text.length - at < maxRootTagLength ? null : '');
    }
    const endsAt = text.indexOf(end, at + 4);
    if (endsAt < 0) return null;
    at = endsAt + end.length;
  }
}

/**
 * Decodes a file from UTF-8, UTF-16, or the 8-bit Windows encoding that the marker \ide names. `problem` says what is
 * wrong. A file in UTF-8 with some damaged characters is not one in another encoding, whose bytes are hardly ever UTF-8.
 */
function decode({ name, bytes }: NamedBytes, { keepGoing = false }: GivenMetadata) {
  const declared = /\\ide\s+([^\r\n\\]*)/.exec(Buffer.from(bytes.subarray(0, 65_536)).toString('latin1'))?.[1] ?? '';
  const codePage = /\b(?:cp-?|windows-?)?(125[0-8]|874)\b/i.exec(declared)?.[1] ?? '1252';
  const unicode = unicodeEncoding(bytes) ?? 'utf-8';
  const whole = decodeWhole(bytes, unicode);
  if (whole !== null) return { text: whole, problem: null };
  const text = new TextDecoder(unicode).decode(bytes);
  const count = (signs: RegExp): number => text.match(signs)?.length ?? 0;
  if (count(/[^\0-\x7F\uFFFD]/g) >= count(/\uFFFD/g)) {
    const problem = `line ${text.split('\uFFFD', 1)[0]?.split('\n').length} holds bytes that are not ${unicode}`;
    if (keepGoing) return { text, problem };
    throw importError(`${name}: ${problem}; correct them, or leave such verses out with --keep-going`);
  }
  const other = decodeWhole(bytes, `windows-${codePage}`);
  if (other !== null) return { text: other, problem: `it was read as windows-${codePage}; save it in UTF-8` };
  throw importError(`${name} is not written in UTF-8, UTF-16 or windows-${codePage}; save it in UTF-8`);
}

function decodeWhole(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const fileFormat = (file: string): BookFiles['format'] | null => formatOf((length) => readHead(file, length));

/** Reads the file at each use, because all files of a Bible together take much memory. */
function fileAt(file: string, name = file) {
  const { size } = statSync(file);
  if (size > maxFileBytes) throw importError(`${name} has ${size} bytes, and a book has at most ${maxFileBytes}`);
  return {
    name,
    size,
    get bytes() {
      return readFileSync(file);
    },
  };
}

function filesOfFolder(folder: string): NamedBytes[] {
  const paths: string[] = [];
  const visit = (path: string, depth: number): void => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      // Links are not followed, because they may lead out of the folder or form a loop.
      if (entry.isDirectory() && !entry.name.startsWith('.') && depth < maxDepth)
        visit(join(path, entry.name), depth + 1);
      if (entry.isFile()) paths.push(join(path, entry.name));
      if (paths.length > maxFiles) throw importError(`${folder} has more than ${maxFiles} files`);
    }
  };
  visit(folder, 0);
  const files = paths
    .filter((path) => isMetadataFile(path) || fileFormat(path) !== null)
    .map((path) => fileAt(path, relative(folder, path)));
  const total = files.reduce((sum, { size }) => sum + size, 0);
  if (total > maxTotalBytes)
    throw importError(`${folder} has ${total} bytes of text, and at most ${maxTotalBytes} are read`);
  return files;
}

/**
 * Reads the files of a zip file into memory. yauzl rejects a file whose size is not the one in the directory of the zip
 * file, as soon as the file exceeds that size, so the limits hold for any zip file. yauzl also rejects paths with `..`.
 */
async function filesOfZip(file: string): Promise<NamedBytes[]> {
  const files = new Map<string, NamedBytes>();
  let total = 0;
  let place = file;
  try {
    const zip = await openPromise(file);
    if (zip.entryCount > maxFiles) throw importError(`${file} has more than ${maxFiles} files`);
    for await (const entry of zip.eachEntry()) {
      const { fileName: name, uncompressedSize: size } = entry;
      // macOS adds a folder with files that have the names of the others.
      if (name.endsWith('/') || name.startsWith('__MACOSX/')) continue;
      place = `${file}: ${name}`;
      total += size;
      if (files.has(name)) throw importError(`${file} has two files named ${name}; pack it again with one of them`);
      if (total > maxTotalBytes || size > maxFileBytes)
        throw importError(
          `${file} unpacks to more than a Bible has: ${name} with ${size} bytes; at most ${maxFileBytes} a file and ${maxTotalBytes} in all are read`,
        );
      const bytes = await buffer(await zip.openReadStreamPromise(entry));
      // yauzl does not compare the checksum.
      if (crc32(bytes) >>> 0 !== entry.crc32) throw new Error('wrong checksum');
      files.set(name, { name, bytes });
    }
    return [...files.values()];
  } catch (error) {
    if (isImportError(error)) throw error;
    throw importError(
      `${place} is damaged (${messageOf(error)}); pack the zip file again, or import the unpacked folder`,
    );
  }
}

/** The elements whose attribute `style` is a USFM marker. */
const styled = new Set(['para', 'char', 'note', 'cell', 'row', 'ms', 'figure', 'sidebar']);

/** Creates the handler of a file of USX 2 or 3, the form of USFM in XML, for one book. */
function createUsxHandler(reader: UsfmReader, setTitle: (title: string) => void): XmlHandler {
  /** The USFM markers of the open elements. '' for an element without a marker. */
  const open: string[] = [];
  /** Whether the innermost paragraph is not opened yet. Before a psalm, it is the title if text precedes the first verse. */
  let isHeld = false;
  const openHeld = (isTitle: boolean): void => {
    if (!isHeld) return;
    isHeld = false;
    if (isTitle) open.push(reader.openTitle(open.pop() ?? ''));
    else reader.open(open.at(-1) ?? '');
  };
  const markerOf = (name: string, attribute: Attributes): string => {
    if (name === 'row') return 'tr';
    if (name === 'sidebar') return 'esb';
    if (name === 'ref') return 'ref';
    return styled.has(name) ? attribute('style') : '';
  };
  return {
    open(name, attribute) {
      const marker = markerOf(name, attribute);
      openHeld(name !== 'verse');
      open.push(marker);
      isHeld = name === 'para' && isTextParagraph(marker) && reader.isBeforePsalm();
      if (isHeld) return;
      if (name === 'book') reader.book(attribute('code'));
      else if (name === 'chapter' && attribute('number') !== '') reader.chapter(attribute('number'));
      else if (name === 'verse' && attribute('number') !== '') reader.verse(attribute('number'));
      else if (name === 'verse' && attribute('eid') !== '') reader.endVerse();
      else if (name === 'optbreak') reader.text(' ');
      else if (name === 'periph') {
        reader.open(name);
        reader.text(attribute('alt'));
        reader.close(name);
      } else if (marker !== '')
        reader.open(marker, attribute, name === 'para' ? 'paragraph' : name === 'ms' ? 'milestone' : 'character');
    },
    close(name, ownText) {
      openHeld(false);
      const marker = open.pop() ?? '';
      if (name === 'book') setTitle(ownText.trim());
      if (marker === 'h' || marker === 'toc2') reader.nameBook(ownText);
      if (name === 'sidebar') reader.open('esbe');
      else if (marker !== '' && name !== 'ms') reader.close(marker);
    },
    text(text) {
      if (text.trim() !== '') openHeld(true);
      reader.text(text);
    },
  };
}
