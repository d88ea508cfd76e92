import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { TextDecoder } from 'node:util';
import { importError } from '../translation';
import {
  commentaryDrivers,
  type Driver,
  openTestamentSlots,
  testamentFiles,
  textDrivers,
  type VerseSlots,
} from './slots';
import { supportedVersifications, type VersificationBook, versification } from './versification';

/**
 * The content of one slot of a module: the place for a verse, a chapter's heading or a book's
 * introduction.
 */
export interface SwordEntry {
  /** The USFM code of the book, which may be one beyond the 66. */
  code: string;
  /** The chapter number. 0 for the book's introduction. */
  chapter: number;
  /** The verse number. 0 for the chapter's heading. */
  verse: number;
  text: string;
  /**
   * Whether the slot contains the same text as the slot before it. Such slots are one verse with
   * several numbers.
   */
  repeated: boolean;
}

export interface SwordModule {
  conf: SwordConf;
  /** The digest of the module: SHA-256 over the names, sizes and bytes of the data files. */
  digest: string;
  sourceType: 'OSIS' | 'plain';
  testaments: readonly ('ot' | 'nt')[];
  /** Yields the entry of every non-empty slot, in the order of the module's versification. */
  entries(): IterableIterator<SwordEntry>;
}

/**
 * Opens a module with a Bible text. Throws an ImportError if the module is damaged or not
 * supported.
 */
export const openModule = (confFile: string): SwordModule => openVerseModule(confFile, textDrivers);

/**
 * Opens a commentary. A note on several verses is an entry of each of them. Throws an ImportError
 * if the module is damaged or not supported.
 */
export const openCommentary = (confFile: string): SwordModule => openVerseModule(confFile, commentaryDrivers);

function openVerseModule(confFile: string, drivers: readonly Driver[]): SwordModule {
  const format = readFormat(confFile, drivers);
  const { conf, name, sourceType, decoder } = format;
  const testaments = openTestaments(dataFolder(confFile, conf), format);
  return {
    conf,
    sourceType,
    testaments: testaments.map(({ testament }) => testament),
    digest: digestFiles(testaments.flatMap(({ files }) => files)),
    *entries() {
      for (const { slots, books } of testaments) yield* testamentEntries(slots, books, decoder, name);
    },
  };
}

/**
 * Reads the format of a module from its configuration. Throws an ImportError if the format is not
 * supported.
 */
function readFormat(confFile: string, drivers: readonly Driver[]) {
  const conf = readConf(confFile);
  if (!conf) throw importError(`${confFile} is not a SWORD configuration: it has no [Module] line`);
  const name = `${conf.module} (${confFile})`;
  const driver = drivers.find((known) => known.toLowerCase() === conf.get('ModDrv').toLowerCase());
  if (!driver)
    throw importError(`${name}: ModDrv=${conf.get('ModDrv')} is not supported; these are: ${drivers.join(', ')}`);
  if (conf.get('CipherKey') !== '' || /^CipherKey\s*=/im.test(readFileSync(confFile, 'latin1')))
    throw importError(`${name} is locked (CipherKey) and cannot be read`);
  if (driver.startsWith('z') && !/^(ZIP)?$/i.test(conf.get('CompressType')))
    throw importError(`${name}: CompressType=${conf.get('CompressType')} is not supported; ZIP is`);
  const sourceType = {
    osis: 'OSIS' as const,
    plaintext: 'plain' as const,
    plain: 'plain' as const,
    '': 'plain' as const,
  }[conf.get('SourceType').toLowerCase()];
  if (!sourceType)
    throw importError(`${name}: SourceType=${conf.get('SourceType')} is not supported; OSIS and plain text are`);
  const decoder = textDecoder(conf, name);
  const versificationName = conf.get('Versification') || 'KJV';
  const order = versification(versificationName);
  if (!order)
    throw importError(
      `${name}: versification ${versificationName} is not supported; these are: ${supportedVersifications.join(', ')}`,
    );
  return { conf, name, driver, sourceType, decoder, order, versificationName };
}

/**
 * Opens the testaments that the module has. Throws an ImportError if they do not fit the
 * versification.
 */
function openTestaments(
  folder: string,
  { conf, name, driver, order, versificationName }: ReturnType<typeof readFormat>,
) {
  const filesOf = (testament: 'ot' | 'nt'): string[] =>
    testamentFiles(driver, conf.get('BlockType') || 'CHAPTER', testament).map((file) => join(folder, file));
  const testaments = (['ot', 'nt'] as const).flatMap((testament) => {
    const files = filesOf(testament);
    const expectedCount = slotCount(order[testament]);
    const slots = openTestamentSlots(files, driver, expectedCount);
    if (slots && slots.count !== expectedCount)
      throw importError(
        `${name}: ${testament} has ${slots.count} slots where versification ${versificationName} has ${expectedCount}: the file is cut off, or the versification is another`,
      );
    return slots ? [{ testament, files, slots, books: order[testament] }] : [];
  });
  if (testaments.length === 0) throw importError(`${name}: its data files are missing: ${filesOf('nt').join(', ')}`);
  return testaments;
}

/**
 * Yields the entries of one testament. Slots 0 and 1 are the headings of the module and the
 * testament. Each book and each chapter has a slot before its content, for its introduction or
 * heading.
 */
function* testamentEntries(
  slots: VerseSlots,
  books: readonly VersificationBook[],
  decoder: TextDecoder,
  name: string,
): IterableIterator<SwordEntry> {
  let index = 2;
  let previousLocation = '';
  const readNext = (code: string, chapter: number, verse: number): SwordEntry | null => {
    const location = slots.location(index);
    const bytes = slots.read(index);
    index += 1;
    if (bytes.length === 0) return null;
    const repeated = location === previousLocation;
    previousLocation = location;
    try {
      return { code, chapter, verse, text: decoder.decode(bytes), repeated };
    } catch {
      throw importError(`${name}: ${code} ${chapter}:${verse} is not written in ${decoder.encoding}`);
    }
  };
  for (const { code, verses } of books) {
    const introduction = readNext(code, 0, 0);
    if (introduction) yield introduction;
    for (const [at, count] of verses.entries()) {
      for (let verse = 0; verse <= count; verse += 1) {
        const entry = readNext(code, at + 1, verse);
        if (entry) yield entry;
      }
    }
  }
}

const slotCount = (books: readonly VersificationBook[]): number =>
  2 + books.reduce((sum, { verses }) => sum + 1 + verses.length + verses.reduce((total, count) => total + count, 0), 0);

function textDecoder(conf: SwordConf, name: string): TextDecoder {
  const encoding = conf.get('Encoding') || 'Latin-1';
  if (/^utf-?8$/i.test(encoding)) return new TextDecoder('utf-8', { fatal: true });
  if (/^latin-?1$/i.test(encoding)) return new TextDecoder('windows-1252');
  throw importError(`${name}: Encoding=${encoding} is not supported; UTF-8 and Latin-1 are`);
}

function dataFolder(confFile: string, conf: SwordConf): string {
  const root = resolve(confFile, '..', '..');
  const folder = resolve(root, conf.get('DataPath'));
  if (relative(root, folder).startsWith('..'))
    throw importError(`${confFile}: DataPath=${conf.get('DataPath')} leads out of ${root}`);
  return folder;
}

function digestFiles(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) {
    const bytes = readFileSync(file);
    hash.update(`${basename(file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

/**
 * The configuration of a SWORD module, a .conf file in `mods.d`. If a key occurs twice, the first
 * one counts.
 */
export interface SwordConf {
  module: string;
  /**
   * Returns the value of a key, whose case does not matter. Returns '' if the file has no such key.
   */
  get(key: string): string;
}

const section = /^\[([^\]]+)\]\s*$/;

/** Parses the text of a .conf file. Returns null if the text has no `[Module]` line. */
function parseConf(text: string): SwordConf | null {
  const values = new Map<string, string>();
  let module = '';
  // The key whose value continues on the next line, because its line ended in a backslash.
  let continuedKey = '';
  for (const line of text.split(/\r?\n/)) {
    if (continuedKey !== '') {
      const more = line.endsWith('\\') ? line.slice(0, -1) : line;
      values.set(continuedKey, `${values.get(continuedKey) ?? ''} ${more}`);
      if (!line.endsWith('\\')) continuedKey = '';
      continue;
    }
    const name = section.exec(line)?.[1];
    if (name && module === '') module = name.trim();
    const pair = /^\s*([A-Za-z][\w.]*)\s*=\s*(.*)$/.exec(line);
    const key = pair?.[1]?.toLowerCase();
    if (!key || values.has(key)) continue;
    const value = pair?.[2] ?? '';
    values.set(key, value.replace(/\\$/, '').trim());
    if (value.endsWith('\\')) continuedKey = key;
  }
  if (module === '') return null;
  return { module, get: (key) => values.get(key.toLowerCase()) ?? '' };
}

/**
 * Reads a .conf file, in UTF-8 if the file says so, else in windows-1252. Returns null if it is no
 * configuration.
 */
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
  const usualFile = join(folder, `${module}.conf`);
  const otherFiles = readdirSync(folder)
    .filter((name) => name.endsWith('.conf'))
    .map((name) => join(folder, name));
  return [usualFile, ...otherFiles].find((file) => existsSync(file) && readConf(file)?.module === module) ?? null;
}
