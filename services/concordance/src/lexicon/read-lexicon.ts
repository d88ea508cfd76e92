import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { digestDictionary, findModules, readDictionary } from '@lectern/corpus';
import { parseStrongsNumber } from '../strongs-number';
import type { LexiconEntry } from './parse-lexicon-entry';
import { parseLexiconEntry } from './parse-lexicon-entry';

export interface Lexicon {
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
export const digestLexicon = (sources: ModuleSources): string =>
  JSON.stringify(Object.fromEntries([...sources].map(([module, conf]) => [module, digestDictionary(conf)])));

/**
 * Returns whether this machine has a dictionary that was missing at the last build, or has changed
 * since. `digests` has the digests of the last build as JSON: module name to digest. Fetches nothing.
 */
export function hasNewDictionary(digests: string, options: Omit<FetchOptions, 'log'>): boolean {
  const knownDigests = JSON.parse(digests) as Readonly<Record<string, unknown>>;
  const { found } = findModules(strongsModules(knownDigests), { ...options, log: () => undefined });
  return [...found].some(([module, conf]) => digestDictionary(conf) !== knownDigests[module]);
}
