import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Where the vectors of an edition lie in the data folder. */
export const vectorsFile = (dataDir: string, translation: string): string => join(dataDir, `${translation}.vec`);

/** Where the index of an edition's words, for the coverage, lies in the data folder. */
export const lexicalOverlapFile = (dataDir: string, translation: string): string =>
  join(dataDir, `${translation}.words`);

/** The vectors of an edition that ship with Lectern, made by the built-in model; null for an edition without. */
export function shippedVectors(translation: string): string | null {
  const file = join(__dirname, '..', 'vectors', `${translation}.vec`);
  return existsSync(file) ? file : null;
}
