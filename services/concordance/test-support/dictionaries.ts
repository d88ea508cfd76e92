import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { dataDir } from './data-folder';
import { findModuleConf } from '../src/lexicon/sword-dictionary';

/** The .conf of Strong's dictionary where this machine has it; null where not. */
export function dictionaryConf(module: 'StrongsHebrew' | 'StrongsGreek'): string | null {
  const asked = (process.env['SWORD_PATH'] ?? '').split(delimiter).filter((root) => existsSync(root));
  const roots = [...asked, '/usr/share/sword', '/usr/local/share/sword', join(process.env['HOME'] ?? '', '.sword'), join(dataDir, 'sources', module)];
  return roots.map((root) => findModuleConf(root, module)).find((conf) => conf !== null) ?? null;
}

const present = dictionaryConf('StrongsHebrew') !== null && dictionaryConf('StrongsGreek') !== null;
const installing = 'apt-get install sword-dict-strongs-hebrew sword-dict-strongs-greek';
if (!present && process.env['CI'] === 'true') throw new Error(`Strong's dictionaries are missing: ${installing}`);
if (!present) process.stderr.write(`skipped: what needs Strong's dictionaries (${installing})\n`);

/** Tests that need Strong's dictionaries. */
export const withDictionaries = present ? describe : describe.skip;
