import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import { importError } from '../import-error';
import type { Attributes } from '../markup-reader';

export interface XmlHandler {
  open: (name: string, attribute: Attributes) => void;
  close: (name: string) => void;
  text: (text: string) => void;
}

/** How far the parser has come: for messages about the content. */
export type Position = () => string;

// No verse and no tag comes near this; without a bound, one endless line would fill the memory.
const longestRun = 1_000_000;
const deepest = 500;

/** The name of the root element, to tell formats apart by content. Throws an import error for what is no XML. */
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
 * Streams an XML file through a handler. The parser reads no DTD: an entity that a file declares for itself is unknown
 * here and is an error, so no entity can grow into gigabytes. Prefixes of names are cut off.
 */
export async function readXml(
  file: string,
  makeHandler: (position: Position) => XmlHandler,
  done: () => boolean = () => false,
): Promise<void> {
  if (!statSync(file).isFile()) throw importError(`${file} is no file`);
  const { encoding, skip } = readEncoding(file);
  const decoder = makeDecoder(file, encoding);
  const parser = new SaxesParser<{ position: true; xmlns: false }>({ position: true, xmlns: false });
  const position = (): string => `${file}, line ${parser.line}, column ${parser.column}`;
  const handler = makeHandler(position);
  let depth = 0;

  parser.on('error', (error) => {
    throw importError(`${position()}: ${error.message.replace(/^\d+:\d+: /, '')}`);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > deepest) throw importError(`${position()}: elements lie more than ${deepest} deep`);
    handler.open(local(tag.name), (name) => tag.attributes[name] ?? '');
  });
  parser.on('closetag', (tag) => {
    depth -= 1;
    handler.close(local(tag.name));
  });
  parser.on('text', (text) => handler.text(text));
  parser.on('cdata', (text) => handler.text(text));

  let run = 0;
  const write = (chunk: string): void => {
    const last = chunk.lastIndexOf('<');
    run = last < 0 ? run + chunk.length : chunk.length - last;
    if (run > longestRun)
      throw importError(`${position()}: more than ${longestRun} characters without a tag, so this is no Bible`);
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

const local = (name: string): string => name.slice(name.indexOf(':') + 1);

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

function makeDecoder(file: string, encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  } catch {
    throw importError(`${file} says that it is written in ${encoding}, which is not known here; save it in UTF-8`);
  }
}

/** By BOM, else by the shape of "<?", else by what the XML declaration says, else UTF-8: the order of the XML recommendation, appendix F. */
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
  // A file that says UTF-16 and is not would not have been readable this far.
  return { encoding: declared && !/^utf-?16/i.test(declared) ? declared.toLowerCase() : 'utf-8', skip: 0 };
}
