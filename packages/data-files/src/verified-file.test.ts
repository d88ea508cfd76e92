import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../test-support/small-data-folder';
import type { TranslationFileKind } from './index';
import { openTranslationFiles, translationFile, updateCatalogue, writeTranslationFile } from './index';
import { createVerifiedFile } from './verified-file';

const kind: TranslationFileKind = { name: 'text', fileName: 'text', applicationId: 0x54657374, formatVersion: '1' };
const identifiers = Array.from({ length: 30 }, (_, index) => `t${String(index).padStart(2, '0')}`);
const dataDir = mkdtempSync(join(tmpdir(), 'lectern-verify-in-steps-'));
const fileOf = (identifier: string): string => translationFile(dataDir, kind, identifier);

const write = (identifier: string, text: string) =>
  writeTranslationFile(dataDir, kind, identifier, (db) => {
    db.exec('CREATE TABLE text (text TEXT)');
    db.prepare('INSERT INTO text VALUES (?)').run(text);
    return { identifier, textDigest: identifier, entry: '{}', builtAt: '2026-01-01' };
  });

beforeAll(async () => {
  // The files of t00 and t01 have a megabyte each, so their verification takes several steps.
  for (const [index, identifier] of identifiers.entries())
    await write(identifier, identifier.repeat(index < 2 ? 350_000 : 1));
  await updateCatalogue(dataDir, kind, { log: () => undefined });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function open() {
  const lines: string[] = [];
  let entries = 0;
  const files = openTranslationFiles({
    dataDir,
    kind,
    toEntry: ({ identifier }) => {
      entries += 1;
      return { identifier };
    },
    readContent: (db) => ({ content: db.prepare<[], string>('SELECT text FROM text').pluck(), bytes: 0 }),
    report: (line) => lines.push(line),
  });
  let changes = 0;
  files.onChange(() => (changes += 1));
  return { ...files, lines, parsedEntries: () => entries, changes: () => changes };
}

test('verifyInSteps checks a file in steps of at most 256 kB, and concurrent calls for one file share the steps', () => {
  const files = open();
  expect(files.isVerified('t00')).toBe(false);
  const requests = [files.verifyInSteps('t00'), files.verifyInSteps('t00')];
  let steps = 0;
  while (!files.isVerified('t00')) {
    requests[steps % 2]?.next();
    steps += 1;
  }
  expect(steps).toBe(Math.ceil(statSync(fileOf('t00')).size / 262_144) + 1);
  expect(requests.map((request) => request.next().done)).toEqual([true, true]);
  expect(files.use('t00')?.get()).toHaveLength(1_050_000);
  expect([...files.verifyInSteps('t00'), ...files.verifyInSteps('unknown')]).toHaveLength(0);
  files.close();
});

test('a file that is replaced while verifyInSteps reads it does not count as verified', async () => {
  const files = open();
  const steps = files.verifyInSteps('t01');
  steps.next();
  await write('t01', 'x'.repeat(1_050_000));
  while (steps.next().done === false);
  expect(files.isVerified('t01')).toBe(false);
  expect(files.use('t01')?.get()).toMatch(/^x+$/);
  files.close();
});

test('a file that verifyInSteps found damaged is not read again until the file is replaced', async () => {
  const file = fileOf('t01');
  const writeInPlace = (bytes: Buffer): void => {
    writeFileSync(file, bytes);
    utimesSync(file, 1, 1);
  };
  const intact = readFileSync(file);
  const damaged = Buffer.from(intact);
  damaged[damaged.length - 20] = (damaged.at(-20) ?? 0) ^ 1;
  writeInPlace(damaged);
  const files = open();
  expect([...files.verifyInSteps('t01')]).toHaveLength(5);
  expect([...files.verifyInSteps('t01')]).toHaveLength(0);
  // The file keeps its inode, its size and its modification time. So `use` accepts the file only if
  // it reads the file again.
  writeInPlace(intact);
  expect(files.use('t01')).toBeNull();
  const problem = expect.stringMatching(/^t01 is not served: .* is damaged/);
  expect(files.lines).toEqual([problem]);

  const updateWith = async (identifier: string): Promise<void> => {
    const changes = files.changes();
    await write(identifier, 'another text');
    await updateCatalogue(dataDir, kind, { log: () => undefined, written: [identifier], check: 'sizes' });
    await waitUntil(() => files.changes() > changes);
  };
  await updateWith('t02');
  expect([files.find('t01'), files.unavailable(), files.lines]).toEqual([null, ['t01'], [problem, problem]]);
  await updateWith('t01');
  expect(files.use('t01')?.get()).toBe('another text');
  files.close();
});

/**
 * Replaces the file by a renamed copy with one changed byte. Returns the bytes of the intact file.
 */
function replaceByDamagedCopy(file: string): Buffer {
  const intact = readFileSync(file);
  const damaged = Buffer.from(intact);
  damaged[damaged.length - 20] = (damaged.at(-20) ?? 0) ^ 1;
  writeFileSync(`${file}.new`, damaged);
  utimesSync(`${file}.new`, 1, 1);
  renameSync(`${file}.new`, file);
  return intact;
}

test.each([
  ['was verified', Number.POSITIVE_INFINITY],
  ['was verified in part', 2],
])(
  'createVerifiedFile rejects a damaged copy that replaces a file that %s, and reads the copy only once',
  async (_, steps) => {
    await write('t00', 't00'.repeat(350_000));
    const file = fileOf('t00');
    const verified = createVerifiedFile(dataDir, kind, 't00');
    const verification = verified.verifyInSteps();
    for (let step = 0; step < steps && verification.next().done === false; step += 1);
    expect(verified.isVerified()).toBe(steps === Number.POSITIVE_INFINITY);
    const intact = replaceByDamagedCopy(file);
    expect(verified.isVerified()).toBe(false);
    expect(() => verified.open()).toThrow(/is damaged/);
    // The file keeps its inode, its size and its modification time. So it is accepted only if it is
    // read again.
    writeFileSync(file, intact);
    utimesSync(file, 1, 1);
    expect([...verified.verifyInSteps()]).toHaveLength(0);
    expect(verified.check).toThrow(/is damaged/);
    expect(() => verified.open()).toThrow(/is damaged/);
    await write('t00', 't00'.repeat(350_000));
    expect([...verified.verifyInSteps()]).toHaveLength(5);
    expect(verified.isVerified()).toBe(true);
    verified.open().db.close();
  },
);

test('parseEntriesInSteps parses the entries of a catalogue in steps of at most 10, and each entry once', () => {
  const files = open();
  const parsed = Array.from(files.parseEntriesInSteps(), files.parsedEntries);
  expect(parsed).toEqual([0, 10, 20]);
  expect(files.entries()).toHaveLength(30);
  expect([files.parsedEntries(), ...files.parseEntriesInSteps()]).toEqual([30]);
  files.close();
});
