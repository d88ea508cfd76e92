import { join } from 'node:path';
import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { digestDictionary, fetchOptionalModules, findModules, readDictionary } from '@lectern/corpus';
import {
  openChecksummedFile,
  readChecksummedFileManifest,
  withFolderLock,
  writeChecksummedFile,
} from '@lectern/data-files';
import type { StrongsManifest } from '../data/formats';
import { strongsFileKind, strongsTables } from '../data/formats';
import type { StrongsEntry } from './number';
import { parseStrongsNumber, strongsLanguage } from './number';

/** The entry of one word in Strong's dictionaries. */
interface LexiconEntry {
  /** The word in Hebrew or Greek script. Null if the entry does not have the word. */
  readonly lemma: string | null;
  readonly transliteration: string | null;
  readonly definition: string | null;
}

const orthography = /<orth(?<attributes>[^>]*)>(?<word>.*?)<\/orth>/s;

/**
 * Parses one entry, whose markup is TEI (an XML format for texts): the word in its script, its
 * transliteration, its pronunciation, and then the definition.
 * An entry without markup is only a definition.
 * Returns null for a number that Strong did not use ("Not Used"), and for an empty entry.
 */
export function parseLexiconEntry(markup: string): LexiconEntry | null {
  // Greek entries repeat the word in Beta Code, which writes Greek in ASCII. Removes this copy.
  let rest = markup.replace(/<orth type="writing">.*?<\/orth>/gs, '');
  const takeWord = (isAccepted: (attributes: string) => boolean): string | null => {
    const found = orthography.exec(rest);
    if (!found || !isAccepted(found.groups?.['attributes'] ?? '')) return null;
    rest = rest.slice(0, found.index) + rest.slice(found.index + found[0].length);
    return toPlainText(found.groups?.['word'] ?? '');
  };
  const lemma = takeWord((attributes) => !attributes.includes('type='));
  const transliteration = takeWord((attributes) => attributes.includes('type="trans"'));
  const definition = toPlainText(rest.replace(/<pron[^>]*>.*?<\/pron>/gs, ''))
    .replace(/^[,;:\s]+/, '')
    // The dictionaries write both H0175 and H175. Lectern writes H175.
    .replace(/\b([GH])0+(?=[1-9])/g, '$1');
  if (lemma === null && /^(not used)?$/i.test(definition)) return null;
  return { lemma: lemma || null, transliteration: transliteration || null, definition: definition || null };
}

const entities: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
};

/**
 * Removes the markup and the line breaks, and decodes entities such as `&amp;`.
 * Replaces `{word}` by `word,`, as Strong wrote: the Hebrew module has braces instead of the comma.
 */
const toPlainText = (markup: string): string =>
  markup
    .replace(/<(lb|p|br)\b[^>]*>/gi, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:lt|gt|quot|apos|amp);/g, (entity) => entities[entity] ?? entity)
    .replace(/\{([^{}]*)\}/g, '$1,')
    .replaceAll(',)', '),')
    .replace(/\s+/g, ' ')
    .replace(/ ([,;.])/g, '$1')
    .trim();

interface Lexicon {
  /** The entries by Strong's number, such as G26 or H2617. */
  readonly entries: ReadonlyMap<string, LexiconEntry>;
  /** The letters (H, G) whose dictionary is missing. */
  readonly missingLetters: readonly string[];
}

const dictionaries = [
  { letter: 'H', module: 'StrongsHebrew', debianPackage: 'sword-dict-strongs-hebrew' },
  { letter: 'G', module: 'StrongsGreek', debianPackage: 'sword-dict-strongs-greek' },
] as const;

/**
 * Returns Strong's dictionaries, which are SWORD modules (books packaged by the SWORD project), as
 * `findModules` and `fetchOptionalModules` take them. A module whose digest is in `knownDigests`,
 * by module name, was intact at the last build. `check` reads any other module completely, to find
 * damage.
 */
export const strongsModules = (knownDigests: Readonly<Record<string, unknown>> = {}): SourceModule[] =>
  dictionaries.map(({ module, debianPackage }) => ({
    module,
    debianPackage,
    check: (conf) => dictionaryError(conf, knownDigests[module]),
  }));

/**
 * Returns the error message of a dictionary that cannot be read, or null if it is intact.
 * A damaged dictionary does not fail the build, because the concordance works without definitions.
 */
function dictionaryError(conf: string, knownDigest: unknown): string | null {
  try {
    if (digestDictionary(conf) !== knownDigest) readDictionary(conf);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Reads the dictionaries that this machine has. */
export function readLexicon(sources: ModuleSources): Lexicon {
  const entries = new Map<string, LexiconEntry>();
  const missingLetters: string[] = [];
  for (const { letter, module } of dictionaries) {
    const conf = sources.get(module);
    if (conf === undefined) missingLetters.push(letter);
    for (const { key, text } of conf === undefined ? [] : readDictionary(conf)) {
      const number = parseStrongsNumber(key.replace(/^[GH]?/i, letter));
      const entry = number === null ? null : parseLexiconEntry(text);
      if (number !== null && entry) entries.set(number, entry);
    }
  }
  return { entries, missingLetters };
}

/**
 * Returns the digests of the dictionaries that this machine has, as JSON: module name to digest.
 */
const digestLexicon = (sources: ModuleSources): string =>
  JSON.stringify(Object.fromEntries([...sources].map(([module, conf]) => [module, digestDictionary(conf)])));

/**
 * Returns whether this machine has a dictionary that was missing at the last build, or has changed
 * since. `digests` has the digests of the last build as JSON: module name to digest. Fetches
 * nothing.
 */
function hasNewDictionary(digests: string, options: Omit<FetchOptions, 'log'>): boolean {
  const knownDigests = JSON.parse(digests) as Readonly<Record<string, unknown>>;
  const { found } = findModules(strongsModules(knownDigests), { ...options, log: () => undefined });
  return [...found].some(([module, conf]) => digestDictionary(conf) !== knownDigests[module]);
}

/** Returns the path of the file with Strong's dictionaries, which all translations share. */
const strongsFile = (dataDir: string): string => join(dataDir, 'strongs.sqlite');

interface BuildStrongsOptions {
  dataDir: string;
  log: (line: string) => void;
  /** The environment variables. SWORD_PATH names folders that may hold Strong's dictionaries. */
  env: NodeJS.ProcessEnv;
  swordRoots?: readonly string[] | undefined;
  now: () => Date;
}

/**
 * Returns true if strongs.sqlite was made from the Hebrew and the Greek dictionary. Then no
 * dictionary has to be fetched.
 */
export function hasAllDictionaries(dataDir: string): boolean {
  const manifest = readChecksummedFileManifest(strongsFile(dataDir), strongsFileKind);
  const digests = JSON.parse(manifest?.get('dictionaries') ?? '{}') as Readonly<Record<string, unknown>>;
  return strongsModules().every(({ module }) => module in digests);
}

/**
 * Returns true if strongs.sqlite is intact and was made from the present version of each dictionary
 * that this machine has. Fetches nothing.
 */
export function isStrongsUpToDate({
  dataDir,
  env,
  swordRoots,
}: Pick<BuildStrongsOptions, 'dataDir' | 'env' | 'swordRoots'>): boolean {
  const manifest = readChecksummedFileManifest(strongsFile(dataDir), strongsFileKind);
  return manifest !== null && !hasNewDictionary(manifest.get('dictionaries') ?? '{}', { dataDir, env, swordRoots });
}

/**
 * Fetches missing Strong's dictionaries, and builds strongs.sqlite unless it is up to date.
 * Resolves with false if the file was up to date. A machine without dictionaries gets a file
 * without entries.
 */
export async function buildStrongsFile(options: BuildStrongsOptions): Promise<boolean> {
  const { dataDir, log, env, swordRoots, now } = options;
  const sources = await fetchOptionalModules(strongsModules(), { dataDir, env, swordRoots, log });
  if (isStrongsUpToDate(options)) return false;
  return withFolderLock(dataDir, { log }, async () => {
    // Another process may have built the file while this process waited for the lock.
    if (isStrongsUpToDate(options)) return false;
    const lexicon = readLexicon(sources);
    for (const letter of lexicon.missingLetters)
      log(
        `warning: Strong's numbers with ${letter} have no dictionary; install it and run \`npm run data\` to add its words`,
      );
    await writeChecksummedFile(strongsFile(dataDir), strongsFileKind, (db): StrongsManifest => {
      db.exec(strongsTables);
      const insert = db.prepare('INSERT INTO lexicon (number, lemma, transliteration, definition) VALUES (?, ?, ?, ?)');
      for (const [number, { lemma, transliteration, definition }] of lexicon.entries)
        insert.run(number, lemma, transliteration, definition);
      return { dictionaries: digestLexicon(sources), builtAt: `${now().toISOString().slice(0, 19)}Z` };
    });
    if (lexicon.entries.size > 0) log(`Strong's dictionaries: ${lexicon.entries.size} words`);
    return true;
  });
}

/**
 * Reads all entries of the dictionaries into memory, because `Verse.words` looks up an entry for
 * every word. The 14,000 entries take a few megabytes. Throws a ChecksummedFileError if the file
 * cannot be used.
 */
export function readStrongsEntries(dataDir: string): ReadonlyMap<string, StrongsEntry> {
  const { db } = openChecksummedFile(strongsFile(dataDir), strongsFileKind);
  try {
    const rows = db
      .prepare<[], Omit<StrongsEntry, 'language'>>('SELECT number, lemma, transliteration, definition FROM lexicon')
      .all();
    return new Map(rows.map((entry) => [entry.number, { ...entry, language: strongsLanguage(entry.number) }]));
  } finally {
    db.close();
  }
}
