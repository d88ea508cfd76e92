import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataDir, repositoryRoot } from '@lectern/testing';
import { runCorpusCommand } from './command';
import { importFiles } from './import';
import { openCorpus } from './open-corpus';

const folder = mkdtempSync(join(tmpdir(), 'lectern-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function run(...argv: string[]) {
  let [stdout, stderr] = ['', ''];
  const exitCode = await runCorpusCommand(argv, {
    stdout: { write: (text: string) => Boolean((stdout += text)) },
    stderr: { write: (text: string) => Boolean((stderr += text)) },
    env: {},
  });
  return { exitCode, stdout, stderr };
}
const exportTexts = async (data: string, format: string, identifier: string): Promise<string> => {
  const out = mkdtempSync(join(folder, 'out-'));
  const result = await run('export', out, '--format', format, '--translation', identifier, '--data', data);
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  return join(out, identifier);
};
/** Imports the exported books, and returns the verses. */
async function importAgain(source: string, given: { identifier: string; language: string; numbering: string }) {
  const data = mkdtempSync(join(folder, 'data-'));
  await importFiles([source], { dataDir: data, log: () => undefined, given, replace: false });
  return openCorpus(data);
}

const usfm = `\\id RUT
\\h Rut
\\ip Zur Einführung & mehr
\\c 1
\\s Der Anfang
\\p
\\v 1-2 Eins \\add zwei \\+nd HERR\\+nd*\\add*, drei\\f + \\ft Note <1>\\f*. \\wj “Vier”\\wj*
\\q2 fünf
\\b
\\q1
\\v 3 sechs\\x - \\xt Gen 1:1|GEN 1:1\\xt*\\x* sieben
\\c 2
\\nb
\\v 1 acht
`;

describe('corpus export --format', () => {
  test.each(['usfm', 'usx'])(
    'the format %s keeps verses, notes, headings, paragraphs and introductions through another import',
    async (format) => {
      const file = join(folder, 'deu-own.usfm');
      writeFileSync(file, usfm);
      const given = { identifier: 'deu-own', language: 'deu', numbering: 'standard' };
      const data = mkdtempSync(join(folder, 'data-'));
      await importFiles([file], { dataDir: data, log: () => undefined, given, replace: false });
      const before = openCorpus(data);
      const after = await importAgain(await exportTexts(data, format, 'deu-own'), given);
      const contentOf = (corpus: typeof before) => ({
        books: corpus.translation('deu-own')?.books,
        verses: [...(corpus.storedTranslations()[0]?.verses ?? [])],
        paragraphs: [...(corpus.storedTranslations()[0]?.paragraphs ?? [])],
        version: corpus.translation('deu-own')?.version,
      });
      expect(contentOf(after)).toEqual(contentOf(before));
      before.close();
      after.close();
    },
  );

  test('the formats json and tsv have a file for each book', async () => {
    const json = await exportTexts(dataDir, 'json', 'eng-kjv');
    expect(readdirSync(json)).toHaveLength(66);
    const john = JSON.parse(readFileSync(join(json, '3JN.json'), 'utf8')) as { verses: unknown[] };
    expect(john.verses).toHaveLength(14);
    const tsv = await exportTexts(dataDir, 'tsv', 'eng-kjv');
    expect(readFileSync(join(tsv, 'JHN.tsv'), 'utf8')).toContain('JHN\t11\t35\tJesus wept.\n');
  });

  test.each([
    [['--format', 'pdf'], 2, "option '--format <format>' argument 'pdf' is invalid"],
    [['--translation', 'eng-kjv'], 2, '--translation needs --format'],
    [['--format', 'tsv', '--translation', 'eng-none'], 1, 'the corpus has no translation eng-none'],
  ])('with the options %j exits with %i', async (options, exitCode, message) => {
    const result = await run('export', join(folder, 'none'), ...options, '--data', dataDir);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(message);
  });
});

const installed = existsSync(join(repositoryRoot, 'data')) ? openCorpus(dataDir) : null;
afterAll(() => installed?.close());
const identifiers = installed?.translations.map(({ identifier }) => identifier) ?? [];

test.each(
  process.env['TEST_SEED'] === 'all'
    ? identifiers.flatMap((each) => [
        [each, 'usfm'],
        [each, 'usx'],
      ])
    : [['grc-sblgnt', 'usfm']],
)(
  'the text of each verse of %s is the same to the byte after an export to %s and an import',
  async (identifier, format) => {
    const translation = installed?.translation(identifier);
    if (!installed || !translation) throw new Error(`${identifier} is not installed`);
    const given = { identifier: 'aaa-copy', language: translation.language, numbering: translation.numbering };
    const copy = await importAgain(await exportTexts(dataDir, format, identifier), given);
    const different: string[] = [];
    const copies = new Map(
      [...copy.eachVerse('aaa-copy')].map((verse) => [`${verse.book} ${verse.chapter}:${verse.verse}`, verse.text]),
    );
    for (const { book, chapter, verse, text } of installed.eachVerse(identifier)) {
      const place = `${book} ${chapter}:${verse}`;
      if (copies.get(place) !== text) different.push(`${place}: ${text} | ${copies.get(place)}`);
      copies.delete(place);
    }
    copy.close();
    expect([different.length, ...different.slice(0, 5), ...copies.keys()]).toEqual([0]);
  },
);
