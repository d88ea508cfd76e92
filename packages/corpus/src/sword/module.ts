import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { TextDecoder } from 'node:util';
import { chapterEnds, isBookCode } from '@lectern/canon';
import { importError } from '../translation';
import {
  commentaryDrivers,
  type Driver,
  openTestamentSlots,
  testamentFiles,
  textDrivers,
  type VerseSlots,
} from './slots';
import { compressions } from './unpack';

/** The configuration of a SWORD module, a .conf file in `mods.d`. */
export interface SwordConf {
  module: string;
  /** Returns the first value of a key, or '' if the key is absent. Ignores the case of the key. */
  get(key: string): string;
}

/** Parses the text of a .conf file. Returns null if the text has no `[Module]` line. */
function parseConf(text: string): SwordConf | null {
  const values = new Map<string, string>();
  let module = '';
  // A line that ends in a backslash continues on the next line.
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    module ||= /^\[([^\]]+)\]\s*$/.exec(line)?.[1]?.trim() ?? '';
    const [, key, value = ''] = /^\s*([A-Za-z][\w.]*)\s*=\s*([^]*)$/.exec(line) ?? [];
    if (key && !values.has(key.toLowerCase())) values.set(key.toLowerCase(), value.trim());
  }
  return module === '' ? null : { module, get: (key) => values.get(key.toLowerCase()) ?? '' };
}

/** Reads a .conf file, in UTF-8 or windows-1252. Returns null if the file is not a configuration. */
export function readConf(file: string): SwordConf | null {
  const bytes = readFileSync(file);
  const conf = parseConf(bytes.toString('utf8'));
  return conf?.get('Encoding').toUpperCase() === 'UTF-8'
    ? conf
    : parseConf(new TextDecoder('windows-1252').decode(bytes));
}

/** Finds a module's .conf file in a folder like /usr/share/sword, or returns null. */
export function findConf(root: string, module: string): string | null {
  const folder = join(root, 'mods.d');
  if (!existsSync(folder)) return null;
  const names = [`${module}.conf`, ...readdirSync(folder).filter((name) => name.endsWith('.conf'))];
  const files = names.map((name) => join(folder, name));
  return files.find((file) => existsSync(file) && readConf(file)?.module === module) ?? null;
}

/** Returns the path of a module's data. Returns null if the path is outside the folder that contains `mods.d`. */
export function dataPath(confFile: string, conf: SwordConf): string | null {
  const root = resolve(confFile, '..', '..');
  const path = resolve(root, conf.get('DataPath'));
  return relative(root, path).startsWith('..') ? null : path;
}

/** The content of a slot. A module has one slot for each verse, and slots for headings and introductions. */
export interface SwordEntry {
  /** The USFM code of the book, which may be a book outside the canon of 66. */
  code: string;
  /** The chapter number. 0 for the book's introduction. */
  chapter: number;
  /** The verse number. 0 for the chapter's heading. */
  verse: number;
  text: string;
  /** Whether the slot shares its text with the previous slot, because the verse has several numbers. */
  repeated: boolean;
}

export type SwordModule = ReturnType<typeof openVerseModule>;

/** Opens a Bible text. Throws an ImportError if the module is damaged or not supported. */
export const openModule = (confFile: string): SwordModule => openVerseModule(confFile, textDrivers);

/** Opens a commentary, like `openModule`. A note on several verses is an entry of each of these verses. */
export const openCommentary = (confFile: string): SwordModule => openVerseModule(confFile, commentaryDrivers);

function openVerseModule(confFile: string, drivers: readonly Driver[]) {
  const format = readFormat(confFile, drivers);
  const { conf, name, sourceType, decoder } = format;
  const testaments = openTestaments(format);
  return {
    conf,
    sourceType,
    testaments: testaments.map(({ testament }) => testament),
    /** A digest of the data files: their names, sizes and bytes, in SHA-256. */
    digest: digestFiles(testaments.flatMap(({ files }) => files)),
    /** Yields the entry of every non-empty slot, in the order of the module's versification. */
    *entries(): IterableIterator<SwordEntry> {
      for (const { slots, books } of testaments) yield* testamentEntries(slots, books, decoder, name);
    },
  };
}

/** Reads the format of a module from its configuration. Throws if Lectern does not support the format. */
function readFormat(confFile: string, drivers: readonly Driver[]) {
  const conf = readConf(confFile);
  if (!conf) throw importError(`${confFile} is not a SWORD configuration: it has no [Module] line`);
  const name = `${conf.module} (${confFile})`;
  const unsupported = (key: string, value: string, rest: string): Error =>
    importError(`${name}: ${key}=${value} is not supported; ${rest}`);
  const driver = drivers.find((known) => known.toLowerCase() === conf.get('ModDrv').toLowerCase());
  if (!driver) throw unsupported('ModDrv', conf.get('ModDrv'), `these are: ${drivers.join(', ')}`);
  // A module with the key CipherKey is encrypted, even if the key has no value.
  if (/^[^\S\r\n\u2028\u2029]*CipherKey\s*=/im.test(readFileSync(confFile, 'latin1')))
    throw importError(
      `${name} is locked (CipherKey in its configuration) and cannot be read; ask its publisher for an unlocked module, or for the text as USFM or OSIS`,
    );
  const compression = conf.get('CompressType').toUpperCase() || 'ZIP';
  if (driver.startsWith('z') && !compressions.includes(compression))
    throw unsupported('CompressType', conf.get('CompressType'), `these are: ${compressions.join(', ')}`);
  const sourceType = /^plain(text)?$/i.test(conf.get('SourceType')) ? '' : conf.get('SourceType').toUpperCase();
  if (!['OSIS', 'THML', 'GBF', ''].includes(sourceType))
    throw unsupported('SourceType', conf.get('SourceType'), 'OSIS, ThML, GBF and plain text are');
  const encoding = conf.get('Encoding') || 'Latin-1';
  if (!/^(utf-?8|latin-?1)$/i.test(encoding)) throw unsupported('Encoding', encoding, 'UTF-8 and Latin-1 are');
  const decoder = new TextDecoder(/^utf/i.test(encoding) ? 'utf-8' : 'windows-1252', { fatal: true });
  const versificationName = conf.get('Versification') || 'KJV';
  const versifications = readVersifications();
  const order = versifications.get(versificationName);
  if (!order)
    throw importError(
      `${name}: versification ${versificationName} is not supported; these are: ${[...versifications.keys()].join(', ')}`,
    );
  const folder = dataPath(confFile, conf);
  if (folder === null)
    throw importError(`${confFile}: DataPath=${conf.get('DataPath')} leads out of ${resolve(confFile, '..', '..')}`);
  return { conf, name, driver, compression, sourceType, decoder, order, versificationName, folder };
}

/** Opens the testaments that the module has. Throws if their sizes do not match the versification. */
function openTestaments(format: ReturnType<typeof readFormat>) {
  const { conf, name, driver, compression, order, versificationName, folder } = format;
  const filesOf = (testament: 'ot' | 'nt'): string[] =>
    testamentFiles(driver, conf.get('BlockType') || 'CHAPTER', testament).map((file) => join(folder, file));
  const testaments = (['ot', 'nt'] as const).flatMap((testament) => {
    const files = filesOf(testament);
    const expectedCount = slotCount(order[testament]);
    const slots = openTestamentSlots(files, driver, compression, expectedCount);
    if (slots && slots.count !== expectedCount)
      throw importError(
        `${name}: ${testament} has ${slots.count} slots where versification ${versificationName} has ${expectedCount}: the file is cut off, or the versification is another`,
      );
    return slots ? [{ testament, files, slots, books: order[testament] }] : [];
  });
  if (testaments.length === 0) throw importError(`${name}: its data files are missing: ${filesOf('nt').join(', ')}`);
  return testaments;
}

/** Yields the entries of a testament. Slots 0 and 1, and one slot before each book and chapter, are headings. */
function* testamentEntries(
  slots: VerseSlots,
  books: readonly VersificationBook[],
  decoder: TextDecoder,
  name: string,
): IterableIterator<SwordEntry> {
  let index = 1;
  let previousLocation = '';
  for (const { code, verses } of books) {
    for (const [chapter, count] of [0, ...verses].entries()) {
      for (let verse = 0; verse <= count; verse += 1) {
        index += 1;
        const bytes = slots.read(index);
        if (bytes.length === 0) continue;
        const location = slots.location(index);
        const repeated = location === previousLocation;
        previousLocation = location;
        yield { code, chapter, verse, text: decode(bytes, decoder, `${name}: ${code} ${chapter}:${verse}`), repeated };
      }
    }
  }
}

function decode(bytes: Buffer, decoder: TextDecoder, where: string): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw importError(`${where} is not written in ${decoder.encoding}`);
  }
}

const slotCount = (books: readonly VersificationBook[]): number =>
  2 + books.reduce((sum, { verses }) => sum + 1 + verses.reduce((total, count) => total + 1 + count, 0), 0);

function digestFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${basename(file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

interface VersificationBook {
  /** The USFM code of the book, which may be a book outside the canon of 66. */
  code: string;
  /** The number of verses of each chapter, from chapter 1. */
  verses: readonly number[];
}

/** Reads the versifications that SWORD defines, such as KJV, NRSVA and Vulg: the books of each testament, by name. */
export function readVersifications(): ReadonlyMap<string, Record<'ot' | 'nt', readonly VersificationBook[]>> {
  const found = new Map<string, Record<'ot' | 'nt', VersificationBook[]>>();
  for (const line of readFileSync(join(__dirname, '..', '..', 'versifications.tsv'), 'utf8')
    .trimEnd()
    .split('\n')) {
    if (line.startsWith('#')) continue;
    const [name = '', testament, code = '', numbers] = line.split('\t');
    const versification = found.get(name) ?? { ot: [], nt: [] };
    found.set(name, versification);
    const verses = numbers?.split(' ').map(Number) ?? (isBookCode(code) ? chapterEnds('standard', code) : []);
    versification[testament === 'ot' ? 'ot' : 'nt'].push({ code, verses });
  }
  return found;
}
