import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foldWord } from './fold-word';

const files: ReadonlyMap<string, string> = new Map([
  ['eng', 'english'],
  ['fra', 'french'],
  ['deu', 'german'],
  ['ita', 'italian'],
  ['por', 'portuguese'],
  ['spa', 'spanish'],
]);

/**
 * Returns the function words (stop words) of a language, folded, from Snowball's lists. `language`
 * is an ISO 639-3 code. The set is empty for a language without a list.
 */
export function functionWords(language: string): ReadonlySet<string> {
  const file = files.get(language);
  if (file === undefined) return new Set();
  const lines = readFileSync(join(__dirname, '..', 'function-words', `${file}.stop`), 'utf8').split('\n');
  return new Set(lines.map((line) => foldWord(line.trim())).filter((word) => word !== ''));
}
