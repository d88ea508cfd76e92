import { findModules } from '@lectern/corpus';
import { dataDir } from '@lectern/testing';
import { strongsModules } from '../src/lexicon/dictionaries';

const log = (line: string) => process.stderr.write(`${line}\n`);
const downloaded = findModules(strongsModules(), { dataDir, env: {}, swordRoots: [], log });
// Prefers the dictionaries in the data folder, because installed dictionaries may have other
// versions.
const found = new Map([
  ...findModules(strongsModules(), { dataDir, env: process.env, log }).found,
  ...downloaded.found,
]);

/**
 * Returns the path of the dictionary's .conf file,
 * or null if this machine does not have the dictionary.
 */
export const dictionaryConf = (module: 'StrongsHebrew' | 'StrongsGreek'): string | null => found.get(module) ?? null;

const hasDictionaries = dictionaryConf('StrongsHebrew') !== null && dictionaryConf('StrongsGreek') !== null;
const installCommand = 'apt-get install sword-dict-strongs-hebrew sword-dict-strongs-greek';
if (!hasDictionaries && process.env['CI'] === 'true')
  throw new Error(`Strong's dictionaries are missing: ${installCommand}`);
if (!hasDictionaries) process.stderr.write(`skipped: tests of Strong's dictionaries (${installCommand})\n`);

/**
 * Jest's `describe` for tests that need Strong's dictionaries. Skips these tests if a dictionary is
 * missing. In CI a missing dictionary is an error instead.
 */
export const describeWithDictionaries = hasDictionaries ? describe : describe.skip;
