import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { importError } from '../import-errors-and-remarks';
import type { Attributes } from '../markup/reader';

export interface XmlHandler {
  open: (name: string, attribute: Attributes) => void;
  close: (name: string) => void;
  text: (text: string) => void;
}

/** Returns the parser's position, for error messages: "file.xml, line 3, column 14". */
export type Position = () => string;

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
 * Streams an XML file through a handler until `done` returns true. The handler receives element
 * names without their namespace prefix. The parser ignores DTDs: an entity that the file itself
 * declares is unknown, which is an error. So no nested entity can grow into gigabytes, and no
 * entity can read another file. Throws an ImportError with the position in the file.
 */
export async function readXml(
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
