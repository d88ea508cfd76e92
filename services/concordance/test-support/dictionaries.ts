import { findModules } from '@lectern/corpus';
import { strongsModules } from '../src/lexicon/read-lexicon';
import { dataDir } from './data-folder';

const { found } = findModules(strongsModules(), {
  dataDir,
  env: process.env,
  log: (line) => process.stderr.write(`${line}\n`),
});

/** The .conf of Strong's dictionary where this machine has it; null where not. */
export const dictionaryConf = (module: 'StrongsHebrew' | 'StrongsGreek'): string | null => found.get(module) ?? null;

const present = dictionaryConf('StrongsHebrew') !== null && dictionaryConf('StrongsGreek') !== null;
const installing = 'apt-get install sword-dict-strongs-hebrew sword-dict-strongs-greek';
if (!present && process.env['CI'] === 'true') throw new Error(`Strong's dictionaries are missing: ${installing}`);
if (!present) process.stderr.write(`skipped: what needs Strong's dictionaries (${installing})\n`);

/** Tests that need Strong's dictionaries. */
export const withDictionaries = present ? describe : describe.skip;
