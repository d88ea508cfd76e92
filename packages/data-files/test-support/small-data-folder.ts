import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TranslationFileKind, TranslationFilesOptions } from '../src/index';
import { openTranslationFiles, translationFile, updateCatalogue, writeTranslationFile } from '../src/index';

export const kind: TranslationFileKind = {
  name: 'text',
  fileName: 'text',
  applicationId: 0x54657374,
  formatVersion: '1',
};
const folder = mkdtempSync(join(tmpdir(), 'lectern-translation-files-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const log = (): void => undefined;
let folders = 0;

/** Writes the file of a translation. Pads the text, so that files with different texts have the same size. */
export const write = (
  dataDir: string,
  identifier: string,
  text: string,
  entry = JSON.stringify({ name: identifier }),
) =>
  writeTranslationFile(dataDir, kind, identifier, (db) => {
    db.exec('CREATE TABLE text (text TEXT)');
    db.prepare('INSERT INTO text VALUES (?)').run(text.padEnd(20_000));
    return { identifier, textDigest: text, entry, builtAt: '2026-01-01' };
  });

/** Creates a data folder with the translations a, b and c, and returns its path. */
export async function createDataDir(): Promise<string> {
  folders += 1;
  const dataDir = join(folder, `data${folders}`);
  for (const identifier of ['a', 'b', 'c']) await write(dataDir, identifier, `text of ${identifier}`);
  await updateCatalogue(dataDir, kind, { log });
  return dataDir;
}

export const fileOf = (dataDir: string, identifier: string): string => translationFile(dataDir, kind, identifier);

/** Opens the translations. `lines` collects the lines that `openTranslationFiles` reports. */
export function openTranslations(
  dataDir: string,
  options: Partial<TranslationFilesOptions<{ name: string }, { read(): string }>> = {},
) {
  const lines: string[] = [];
  const files = openTranslationFiles<{ name: string }, { read(): string }>({
    dataDir,
    kind,
    toEntry: ({ entry }) => JSON.parse(entry) as { name: string },
    readContent(db) {
      const select = db.prepare<[], string>('SELECT text FROM text').pluck();
      return { content: { read: () => (select.get() ?? '').trim() }, bytes: 1_000_000 };
    },
    report: (line) => lines.push(line),
    ...options,
  });
  const names = () => files.entries().map(({ name }) => name);
  const read = (identifier: string) => files.use(identifier)?.read() ?? null;
  return { ...files, names, read, lines };
}

export const waitUntil = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
};
