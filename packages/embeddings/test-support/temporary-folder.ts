import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Creates a folder for one test file and removes it after the tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-embeddings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
