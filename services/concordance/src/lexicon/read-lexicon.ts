import type { FetchOptions, ModuleSources, SourceModule } from '@lectern/corpus';
import { findModules } from '@lectern/corpus';
import { parseStrongsNumber } from '../strongs-number';
import type { LexiconEntry } from './parse-lexicon-entry';
import { parseLexiconEntry } from './parse-lexicon-entry';
import { digestDictionary, readDictionary } from './read-sword-dictionary';

export interface Lexicon {
  /** By number: G26, H2617. */
  readonly entries: ReadonlyMap<string, LexiconEntry>;
  /** The letters whose numbers have no dictionary. */
  readonly without: readonly string[];
}

const dictionaries = [
  { letter: 'H', module: 'StrongsHebrew', debianPackage: 'sword-dict-strongs-hebrew' },
  { letter: 'G', module: 'StrongsGreek', debianPackage: 'sword-dict-strongs-greek' },
] as const;

/** Strong's dictionaries as modules to be found or fetched. Known digests vouch for their bytes; others are read to the end. */
export const strongsModules = (known: Readonly<Record<string, unknown>> = {}): SourceModule[] =>
  dictionaries.map(({ module, debianPackage }) => ({
    module,
    debianPackage,
    check: (conf) => faultOf(conf, known[module]),
  }));

/** Somebody else's files: whatever is wrong with them, the concordance of words does not depend on it. */
function faultOf(conf: string, known: unknown): string | null {
  try {
    if (digestDictionary(conf) !== known) readDictionary(conf);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The words of the dictionaries that were found. */
export function readLexicon(sources: ModuleSources): Lexicon {
  const entries = new Map<string, LexiconEntry>();
  const without: string[] = [];
  for (const { letter, module } of dictionaries) {
    const conf = sources.get(module);
    if (conf === undefined) without.push(letter);
    for (const { key, text } of conf === undefined ? [] : readDictionary(conf)) {
      const number = parseStrongsNumber(key.replace(/^[GH]?/i, letter));
      const entry = number === null ? null : parseLexiconEntry(text);
      if (number !== null && entry) entries.set(number, entry);
    }
  }
  return { entries, without };
}

/** JSON: module -> digest, of the dictionaries that were found. */
export const digestLexicon = (sources: ModuleSources): string =>
  JSON.stringify(Object.fromEntries([...sources].map(([module, conf]) => [module, digestDictionary(conf)])));

/** Whether a dictionary is here that an index with these digests lacks, or has otherwise. Nothing is fetched. */
export function findNewDictionary(digests: string, { dataDir, env }: Omit<FetchOptions, 'log'>): boolean {
  const known = JSON.parse(digests) as Readonly<Record<string, unknown>>;
  const { found } = findModules(strongsModules(known), { dataDir, env, log: () => undefined });
  return [...found].some(([module, conf]) => digestDictionary(conf) !== known[module]);
}
