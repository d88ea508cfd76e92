import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StudySource } from './sword-modules-for-study';

/** A source of cross references that the operator has imported from a file. */
export interface OperatorSource extends StudySource {
  /** References with fewer votes are left out. */
  readonly minVotes: number;
}

/**
 * Returns the folder of the imported sources. Each source has a .json file with its description and
 * a .tsv file with its cross references.
 */
export const operatorFolder = (dataDir: string): string => join(dataDir, 'sources', 'cross-references');

export const operatorFile = (dataDir: string, id: string, extension: 'json' | 'tsv'): string =>
  join(operatorFolder(dataDir), `${id}.${extension}`);

/** Reads the descriptions of the imported cross references, in the order of their file names. */
export function readOperatorSources(dataDir: string): OperatorSource[] {
  if (!existsSync(operatorFolder(dataDir))) return [];
  return readdirSync(operatorFolder(dataDir))
    .filter((name) => name.endsWith('.json') && existsSync(operatorFile(dataDir, name.slice(0, -5), 'tsv')))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(operatorFolder(dataDir), name), 'utf8')) as OperatorSource);
}

/** Returns the digest of the imported file and of its description. */
export function digestOperatorSource(dataDir: string, { id }: OperatorSource): string {
  const hash = createHash('sha256');
  for (const extension of ['json', 'tsv'] as const) hash.update(readFileSync(operatorFile(dataDir, id, extension)));
  return hash.digest('hex');
}
