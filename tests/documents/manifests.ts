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

/** Writes a manifest by a rename, and returns its path. */
export function writeManifest(text: string, name = 'manifest.json'): string {
  const file = join(folder, name);
  // Test files that run in one process share this folder, and each of them removes it.
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
  return file;
}
