import { join } from 'node:path';
import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import {
  checkByReading,
  decodeEntities,
  digestDictionary,
  fetchOptionalModules,
  findModules,
  readDictionary,
} from '@lectern/corpus';
import {
  formatBuildTime,
  openChecksummedFile,
  readChecksummedFileManifest,
  withFolderLock,
  writeChecksummedFile,
} from '@lectern/data-files';
import { errors } from '@lectern/errors';
import type { ConcordanceFiles } from '../data/files';
import { strongsFileKind, strongsTables } from '../data/files';

/** A Hebrew or Greek word of the Bible, as Strong's concordance numbers them. */
export interface StrongsEntry {
  /** The Strong's number, with the letter H for Hebrew or G for Greek: H2617, G26. */
  readonly number: string;
  readonly lemma: string | null;
  /** The spellings of the word that `lemma` has, in the order of their transliterations. Empty without `lemma`. */
  readonly spellings: readonly string[];
  readonly transliteration: string | null;
  readonly definition: string | null;
  /** The language code of ISO 639-3. */
  readonly language: string;
}

/** The maximum length of a Strong's number from a client, including leading zeros and whitespace. */
const maxNumberLength = 100;

/** Parses a Strong's number: returns H430 for `H0430` or ` h430`. Returns null for any other text. */
export function parseStrongsNumber(text: string): string | null {
  if (text.length > maxNumberLength) return null;
  const match = /^([GH])0*([1-9]\d{0,4})$/i.exec(text.trim());
  return match ? `${match[1]?.toUpperCase() ?? ''}${match[2] ?? ''}` : null;
}

/** Greek for G, Hebrew for H, with which Strong also numbered the Aramaic words of Daniel and Ezra. */
const strongsLanguage = (number: string): 'grc' | 'hbo' => (number.startsWith('G') ? 'grc' : 'hbo');

type LexiconEntry = Pick<StrongsEntry, 'lemma' | 'spellings' | 'transliteration' | 'definition'>;

/** Finds the first element `orth`, up to the next closing tag. Returns null if there is none. */
function findWord(markup: string) {
  const start = markup.indexOf('<orth');
  const tagEnd = markup.indexOf('>', start);
  const close = markup.indexOf('</orth>', tagEnd);
  if (start < 0 || tagEnd < 0 || close < 0) return null;
  return {
    attributes: markup.slice(start + '<orth'.length, tagEnd),
    word: markup.slice(tagEnd + 1, close),
    rest: markup.slice(0, start) + markup.slice(close + '</orth>'.length),
  };
}

/** Removes each part of the markup that begins with one text and ends with the next occurrence of another. */
function withoutParts(markup: string, begin: string, end: string): string {
  let kept = '';
  for (let at = 0; ; ) {
    const start = markup.indexOf(begin, at);
    const stop = start < 0 ? -1 : markup.indexOf(end, start + begin.length);
    if (stop < 0) return kept + markup.slice(at);
    kept += markup.slice(at, start);
    at = stop + end.length;
  }
}

/**
 * Parses an entry in TEI (an XML format): the word, its transliteration and pronunciation, then the definition. Without
 * markup, all is definition. Returns null for an empty entry, and for a number that Strong did not use ("Not Used").
 */
export function parseLexiconEntry(markup: string): LexiconEntry | null {
  // Greek entries repeat the word in Beta Code, which writes Greek in ASCII. The repetition is removed.
  let rest = withoutParts(markup, '<orth type="writing">', '</orth>');
  const takeWord = (isAccepted: (attributes: string) => boolean): string | null => {
    const found = findWord(rest);
    if (!found || !isAccepted(found.attributes)) return null;
    ({ rest } = found);
    return found.word;
  };
  // In the Hebrew module, 114 words end in a Latin "o", which is an error and is removed.
  const word =
    takeWord((attributes) => !attributes.includes('type='))?.replace(/(?<=\p{Script=Hebrew})o$/u, '') ?? null;
  const transliteration = takeWord((attributes) => attributes.includes('type="trans"'));
  const definition = toPlainText(withoutParts(rest, '<pron', '</pron>'))
    .replace(/^[,;:\s]+/, '')
    // The dictionaries have both H0175 and H175. Lectern writes H175.
    .replace(/\b([GH])0+(?=[1-9])/g, '$1')
    // The Hebrew module has a 6 in place of a comma after a word: `except6 without`.
    .replace(/(?<=[\p{Ll})])6(?=\s)/gu, ',')
    .replace(/(?<=[\p{Ll})])6(?=[;,:])/gu, '');
  if (word === null && /^(not used)?$/i.test(definition)) return null;
  return {
    // A word of which the module writes two forms without points, such as H157, is written once.
    lemma: [...new Set((word ?? '').split(/\s{2,}/).map(toPlainText))].join(' ').trim() || null,
    spellings: spellingsOf(word ?? ''),
    transliteration: toPlainText(transliteration ?? '') || null,
    definition: definition || null,
  };
}

/** Splits Hebrew spellings, which the module writes with the first one last. A Greek entry has one: "εἰ μή". */
const spellingsOf = (word: string): string[] => {
  const spellings = /\p{Script=Hebrew}/u.test(word) ? word.split(/\s{2,}/).reverse() : [word];
  return [...new Set(spellings.map(toPlainText))].filter((spelling) => spelling !== '');
};

/** Removes markup and line breaks. Writes `word,` for the `{word}` of the Hebrew module, as Strong does. */
const toPlainText = (markup: string): string =>
  decodeEntities(markup.replace(/<(lb|p|br)\b[^<>]*>/gi, ' ').replace(/<[^<>]*>/g, ''))
    .replace(/\{([^{}]*)\}/g, '$1,')
    .replaceAll(',)', '),')
    .replace(/\s+/g, ' ')
    .replace(/ ([,;.])/g, '$1')
    .trim();

const dictionaries = [
  { letter: 'H', module: 'StrongsHebrew', debianPackage: 'sword-dict-strongs-hebrew' },
  { letter: 'G', module: 'StrongsGreek', debianPackage: 'sword-dict-strongs-greek' },
] as const;

type Digests = Readonly<Record<string, unknown>>;

/**
 * A SWORD module with a digest in `knownDigests` (by name) was intact at the last build. Any other is read completely.
 * A damaged one does not stop the build, because the concordance works without definitions.
 */
export const strongsModules = (knownDigests: Digests = {}): SourceModule[] =>
  dictionaries.map(({ module, debianPackage }) => ({
    module,
    debianPackage,
    check: checkByReading((conf) => digestDictionary(conf) === knownDigests[module] || readDictionary(conf)),
  }));

/** Reads the dictionaries on this machine. `missingLetters` names missing dictionaries: H Hebrew, G Greek. */
export function readLexicon(sources: ModuleSources) {
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

const strongsFile = (dataDir: string): string => join(dataDir, 'strongs.sqlite');

/** Returns the digests of the dictionaries from which strongs.sqlite was made. Null if the file is unusable. */
function readDigests(dataDir: string): Digests | null {
  const manifest = readChecksummedFileManifest(strongsFile(dataDir), strongsFileKind);
  return manifest && (JSON.parse(manifest.get('dictionaries') ?? '{}') as Digests);
}

/** Returns whether strongs.sqlite was made from the Hebrew and the Greek dictionary. If so, no download is needed. */
export function hasAllDictionaries(dataDir: string): boolean {
  const digests = readDigests(dataDir) ?? {};
  return dictionaries.every(({ module }) => module in digests);
}

/** Returns whether strongs.sqlite is intact and was made from the dictionaries on this machine. Downloads nothing. */
export function isStrongsUpToDate(options: Omit<FetchOptions, 'log'>): boolean {
  const digests = readDigests(options.dataDir);
  if (!digests) return false;
  const { found } = findModules(strongsModules(digests), { ...options, log: () => undefined });
  return [...found].every(([module, conf]) => digestDictionary(conf) === digests[module]);
}

/** Downloads missing dictionaries. Writes an empty file without any. Resolves with false if nothing was built. */
export async function buildStrongsFile(options: FetchOptions & { now: () => Date }): Promise<boolean> {
  const { dataDir, log, now } = options;
  const sources = await fetchOptionalModules(strongsModules(), options);
  if (isStrongsUpToDate(options)) return false;
  return withFolderLock(dataDir, { log }, async () => {
    // Checked again, because another process may have built the file while this process waited for the lock.
    if (isStrongsUpToDate(options)) return false;
    const { entries, missingLetters } = readLexicon(sources);
    for (const letter of missingLetters)
      log(
        `warning: Strong's numbers with ${letter} have no dictionary; install it and run \`npm run data\` to add its words`,
      );
    await writeChecksummedFile(strongsFile(dataDir), strongsFileKind, (db) => {
      db.exec(strongsTables);
      const insert = db.prepare(
        'INSERT INTO lexicon (number, lemma, spellings, transliteration, definition) VALUES (?, ?, ?, ?, ?)',
      );
      for (const [number, { lemma, spellings, transliteration, definition }] of entries)
        insert.run(number, lemma, JSON.stringify(spellings), transliteration, definition);
      const digests: Digests = Object.fromEntries(
        Array.from(sources, ([module, conf]) => [module, digestDictionary(conf)]),
      );
      return { dictionaries: JSON.stringify(digests), builtAt: formatBuildTime(now()) };
    });
    if (entries.size > 0) log(`Strong's dictionaries: ${entries.size} words`);
    return true;
  });
}

/** Reads all 14,000 entries (a few megabytes): every word in `Verse.words` needs one. Throws a ChecksummedFileError. */
export function readStrongsEntries(dataDir: string): ReadonlyMap<string, StrongsEntry> {
  const { db } = openChecksummedFile(strongsFile(dataDir), strongsFileKind);
  try {
    const rows = db
      .prepare<[], Omit<StrongsEntry, 'language' | 'spellings'> & { spellings: string }>('SELECT * FROM lexicon')
      .all();
    return new Map(
      rows.map(({ spellings, ...entry }) => [
        entry.number,
        { ...entry, spellings: JSON.parse(spellings) as string[], language: strongsLanguage(entry.number) },
      ]),
    );
  } finally {
    db.close();
  }
}

/** Creates the functions that look up Strong's numbers in the entries of the dictionaries. */
export function createStrongsLookup(dictionary: ReadonlyMap<string, StrongsEntry>, files: ConcordanceFiles) {
  /** Returns the entry of a number. If no dictionary has it, the entry has only the number and the language. */
  const strongsEntry = (number: string): StrongsEntry =>
    dictionary.get(number) ?? {
      number,
      lemma: null,
      spellings: [],
      transliteration: null,
      definition: null,
      language: strongsLanguage(number),
    };
  return {
    strongsEntry,

    /** Throws `strongsNotFound`. Yields, because parsing the catalogue of many translations takes long. */
    *strongs(text: string): Generator<void, StrongsEntry> {
      const number = parseStrongsNumber(text);
      if (number === null) throw errors.strongsNotFound(text);
      // A number that is in no dictionary is still valid if a translation has words with it.
      if (!dictionary.has(number)) {
        yield* files.parseEntriesInSteps();
        if (!files.entries().some((translation) => translation.hasStrongsNumber(number)))
          throw errors.strongsNotFound(text);
      }
      return strongsEntry(number);
    },
  };
}
