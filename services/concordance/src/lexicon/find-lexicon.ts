import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createHash } from 'node:crypto';
import { parseStrongsNumber } from '../strongs-number';
import { parseLexiconEntry } from './lexicon-entry';
import type { LexiconEntry } from './lexicon-entry';
import { findModuleConf, readDictionary } from './sword-dictionary';
import type { SwordDictionary } from './sword-dictionary';

export interface Lexicon {
  /** Of the dictionaries that were found; empty when none was. */
  readonly digest: string;
  /** By number: G26, H2617. */
  readonly entries: ReadonlyMap<string, LexiconEntry>;
  /** Lines for whoever builds: what is missing, or was passed over. */
  readonly remarks: readonly string[];
}

const dictionaries = [
  { letter: 'H', module: 'StrongsHebrew', debianPackage: 'sword-dict-strongs-hebrew' },
  { letter: 'G', module: 'StrongsGreek', debianPackage: 'sword-dict-strongs-greek' },
] as const;

export interface FindLexiconOptions {
  /** Fetched modules lie in its folder `sources`. */
  dataDir: string;
  env: NodeJS.ProcessEnv;
}

/** Strong's dictionaries, where this machine has them. One that is missing or damaged is reported and done without: numbers then come without their words. */
export function findLexicon({ dataDir, env }: FindLexiconOptions): Lexicon {
  const remarks: string[] = [];
  const entries = new Map<string, LexiconEntry>();
  const digests: string[] = [];
  for (const { letter, module, debianPackage } of dictionaries) {
    const roots = [...installedRoots(env), join(dataDir, 'sources', module)];
    const dictionary = findDictionary(roots, module, remarks);
    if (!dictionary) {
      remarks.push(`warning: no dictionary ${module}: Strong's numbers with ${letter} come without their words (apt-get install ${debianPackage}, or name a folder that has it in SWORD_PATH, then npm run data)`);
      continue;
    }
    digests.push(dictionary.digest);
    for (const { key, text } of dictionary.entries) {
      const number = parseStrongsNumber(key.replace(/^[GH]?/i, letter));
      const entry = number === null ? null : parseLexiconEntry(text);
      if (number !== null && entry) entries.set(number, entry);
    }
  }
  return { digest: digests.length === 0 ? '' : createHash('sha256').update(digests.join(' ')).digest('hex'), entries, remarks };
}

/** Folders that may hold installed modules, those that were asked for first. */
function installedRoots(env: NodeJS.ProcessEnv): string[] {
  const asked = (env['SWORD_PATH'] ?? '').split(delimiter).filter((root) => root !== '');
  return [...asked, '/usr/share/sword', '/usr/local/share/sword', join(env['HOME'] ?? homedir(), '.sword')];
}

function findDictionary(roots: readonly string[], module: string, remarks: string[]): SwordDictionary | null {
  for (const root of roots) {
    const conf = findModuleConf(root, module);
    if (conf === null) continue;
    try {
      return readDictionary(conf);
    } catch (error) {
      // Somebody else's file: whatever is wrong with it, the concordance of words does not depend on it.
      remarks.push(`warning: ${module} in ${root} is not used: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return null;
}
