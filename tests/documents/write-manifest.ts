import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf, type Operation } from './operations-and-responses';

export const apolloManifest = (operations: readonly Operation[], rest: object = {}): string =>
  JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: operations.map(({ id, name, type = 'query', body }) => ({ id: id ?? hashOf(body), name, type, body })),
    ...rest,
  });

const folder = mkdtempSync(join(tmpdir(), 'lectern-documents-'));
export const removeManifests = (): void => rmSync(folder, { recursive: true, force: true });

/**
 * Writes a manifest and returns its path. Renames the complete file, so that no gateway reads a
 * part of it.
 */
export function writeManifest(text: string, name = 'manifest.json'): string {
  const file = join(folder, name);
  // An earlier test file of the same process may have removed the folder, which all test files
  // share.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
  return file;
}
