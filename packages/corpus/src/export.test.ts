import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRandomChoices, dataDir, repositoryRoot, testSeed } from '@lectern/testing';
import escapeXml from 'escape-html';
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

const contentOf = (corpus: ReturnType<typeof openCorpus>) => ({
  books: corpus.translation('deu-own')?.books,
  verses: [...(corpus.storedTranslations()[0]?.verses ?? [])],
  paragraphs: [...(corpus.storedTranslations()[0]?.paragraphs ?? [])],
  version: corpus.translation('deu-own')?.version,
});

const usfm = `\\id RUT
\\h Rut
\\ip Zur Einführung & mehr
\\c 1
\\s Der Anfang
\\p
\\v 1-2 Eins \\add zwei \\+nd HERR\\+nd*\\add*, drei \\nd Jah|x-case="kept"\\nd*\\f + \\ft Note <1>\\f*. \\wj “Vier”\\wj*
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
      expect(contentOf(after)).toEqual(contentOf(before));
      before.close();
      after.close();
    },
  );

  test.each(['usfm', 'usx'])(
    'the format %s keeps signs that have a meaning in USFM, in verses, marks, notes, headings and names',
    async (format) => {
      const { pick, chance } = createRandomChoices(testSeed());
      const signs = ['|', '~', '//', '\\', '\\\\', '/', '"', '&', '<', '://', '|a="b"', '1', 'Wort', '*', '\\A'];
      const text = (): string =>
        escapeXml(
          Array.from({ length: 5 }, () => pick(signs) + (chance(0.5) ? ' ' : ''))
            .join('')
            .trim(),
        );
      const verseOf = (number: number): string =>
        `<verse number="${number}" style="v"/>A ${text()} <char style="add">b ${text()} <char style="nd">${text()}` +
        `</char></char> b <note style="f" caller="+"><char style="ft">c ${text()} <ref loc="GEN 1:1">${text()} d` +
        `</ref> ${text()} e</char></note> f ${text()} g`;
      const verses = Array.from({ length: 30 }, (_, index) => verseOf(index + 1));
      const file = join(folder, 'RUT.usx');
      writeFileSync(
        file,
        `<usx version="3.0"><book code="RUT" style="id"/><para style="h">R~u|t</para><chapter number="1" style="c"/>` +
          `<para style="s1">${text()}</para><para style="p">${verses.join('')}</para></usx>`,
      );
      const given = { identifier: 'deu-own', language: 'deu', numbering: 'standard' };
      const data = mkdtempSync(join(folder, 'data-'));
      await importFiles([file], { dataDir: data, log: () => undefined, given, replace: false });
      const before = openCorpus(data);
      const after = await importAgain(await exportTexts(data, format, 'deu-own'), given);
      expect(contentOf(after)).toEqual(contentOf(before));
      before.close();
      after.close();
    },
  );

  test('the format tsv has the numbers of joined verses', async () => {
    const file = join(folder, 'deu-own.usfm');
    writeFileSync(file, usfm);
    const given = { identifier: 'deu-own', language: 'deu', numbering: 'standard' };
    const data = mkdtempSync(join(folder, 'data-'));
    await importFiles([file], { dataDir: data, log: () => undefined, given, replace: false });
    const tsv = readFileSync(join(await exportTexts(data, 'tsv', 'deu-own'), 'RUT.tsv'), 'utf8');
    expect(tsv).toMatch(/^RUT\t1\t1-2\tEins zwei HERR, .*\nRUT\t1\t3\tsechs/);
  });

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
