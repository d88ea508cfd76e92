import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** The configuration of a SWORD module, a .conf file in `mods.d`. */
export interface SwordConf {
  module: string;
  /** Returns the first value of a key, or '' if the key is absent. Ignores the case of the key. */
  get(key: string): string;
}

/** Parses the text of a .conf file. Returns null if the text has no `[Module]` line. */
function parseConf(text: string): SwordConf | null {
  const values = new Map<string, string>();
  let module = '';
  // A line that ends in a backslash continues on the next line.
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    module ||= /^\[([^\]]+)\]\s*$/.exec(line)?.[1]?.trim() ?? '';
    const [, key, value = ''] = /^\s*([A-Za-z][\w.]*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key && !values.has(key.toLowerCase())) values.set(key.toLowerCase(), value.trim());
  }
  return module === '' ? null : { module, get: (key) => values.get(key.toLowerCase()) ?? '' };
}

/** Reads a .conf file, in UTF-8 or windows-1252. Returns null if the file is not a configuration. */
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
  const names = [`${module}.conf`, ...readdirSync(folder).filter((name) => name.endsWith('.conf'))];
  const files = names.map((name) => join(folder, name));
  return files.find((file) => existsSync(file) && readConf(file)?.module === module) ?? null;
}

/** Returns the path of a module's data. Returns null if the path is outside the folder that contains `mods.d`. */
export function dataPath(confFile: string, conf: SwordConf): string | null {
  const root = resolve(confFile, '..', '..');
  const path = resolve(root, conf.get('DataPath'));
  return relative(root, path).startsWith('..') ? null : path;
}
