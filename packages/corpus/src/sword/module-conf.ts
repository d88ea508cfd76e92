import { readFileSync } from 'node:fs';

/** A module's .conf: keys in lower case; where a key comes twice, the first counts. */
export interface SwordConf {
  module: string;
  /** '' where the file has no such key. */
  get(key: string): string;
}

const section = /^\[([^\]]+)\]\s*$/;

/** Null when the text has no `[Module]` line: then it is no module's configuration. */
export function parseConf(text: string): SwordConf | null {
  const values = new Map<string, string>();
  let module = '';
  let continued = '';
  for (const line of text.split(/\r?\n/)) {
    if (continued !== '') {
      const more = line.endsWith('\\') ? line.slice(0, -1) : line;
      values.set(continued, `${values.get(continued) ?? ''} ${more}`);
      if (!line.endsWith('\\')) continued = '';
      continue;
    }
    const name = section.exec(line)?.[1];
    if (name && module === '') module = name.trim();
    const pair = /^\s*([A-Za-z][\w.]*)\s*=\s*(.*)$/.exec(line);
    const key = pair?.[1]?.toLowerCase();
    if (!key || values.has(key)) continue;
    const value = pair?.[2] ?? '';
    values.set(key, value.replace(/\\$/, '').trim());
    if (value.endsWith('\\')) continued = key;
  }
  if (module === '') return null;
  return { module, get: (key) => values.get(key.toLowerCase()) ?? '' };
}

/** Null when the file is no module's configuration. */
export function readConf(file: string): SwordConf | null {
  const bytes = readFileSync(file);
  const conf = parseConf(bytes.toString('utf8'));
  return conf?.get('Encoding').toUpperCase() === 'UTF-8'
    ? conf
    : parseConf(new TextDecoder('windows-1252').decode(bytes));
}
