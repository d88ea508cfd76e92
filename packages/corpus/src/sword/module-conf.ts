import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The configuration of a SWORD module: a .conf file in a folder `mods.d`. If a key occurs twice,
 * the first one counts.
 */
export interface SwordConf {
  module: string;
  /**
   * Returns the value of a key, whose case does not matter. Returns '' if the file has no such key.
   */
  get(key: string): string;
}

const section = /^\[([^\]]+)\]\s*$/;

/**
 * Parses the text of a .conf file. Returns null if the text has no `[Module]` line and so is not a
 * module's configuration.
 */
export function parseConf(text: string): SwordConf | null {
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
 * Reads a .conf file in the encoding that the file names: UTF-8, or otherwise windows-1252. Returns
 * null if the file is not a module's configuration.
 */
export function readConf(file: string): SwordConf | null {
  const bytes = readFileSync(file);
  const conf = parseConf(bytes.toString('utf8'));
  return conf?.get('Encoding').toUpperCase() === 'UTF-8'
    ? conf
    : parseConf(new TextDecoder('windows-1252').decode(bytes));
}

/**
 * Finds a module's .conf file in a folder with the structure of /usr/share/sword. Returns null if
 * the folder lacks the module.
 */
export function findConf(root: string, module: string): string | null {
  const folder = join(root, 'mods.d');
  if (!existsSync(folder)) return null;
  const usualFile = join(folder, `${module}.conf`);
  const otherFiles = readdirSync(folder)
    .filter((name) => name.endsWith('.conf'))
    .map((name) => join(folder, name));
  return [usualFile, ...otherFiles].find((file) => existsSync(file) && readConf(file)?.module === module) ?? null;
}
