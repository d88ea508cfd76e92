import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFiles, openCorpus, runCorpusCommand } from '@lectern/corpus';
import { builtInModel, dot, readVectors, unitVector } from '@lectern/embeddings';
import { dataDir, idOf, linkData } from '@lectern/testing';
import { ensureSemanticFiles, openSemanticClient } from '../../test-support/semantic-client';
import { buildSemanticFiles, exportVectors } from '../index';
import { sharedVectorsFile } from './shared-rows';

const folder = mkdtempSync(join(tmpdir(), 'lectern-vectors-'));
const data = join(folder, 'data');
beforeAll(async () => {
  await ensureSemanticFiles();
  linkData(data);
  // No shared vector is of the book of Tobit.
  const file = join(folder, 'eng-own.usfm');
  writeFileSync(file, '\\id TOB\n\\c 1\n\\p\n\\v 1 A righteous man.\n\\v 2 He gave alms.\n');
  const given = { identifier: 'eng-own', language: 'eng', numbering: 'standard' };
  await importFiles([file], { dataDir: data, log: () => undefined, given, replace: false });
  await buildSemanticFiles({ dataDir: data, env, log: () => undefined });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { SEMANTIC_TRANSLATIONS: 'spa-rv1909,eng-web,eng-own' };

/** Runs `npm run corpus -- export` with the vectors. */
async function run(...args: string[]) {
  let [stdout, stderr] = ['', ''];
  const exitCode = await runCorpusCommand(['export', folder, '--format', 'vectors', '--data', data, ...args], {
    stdout: { write: (text: string) => Boolean((stdout += text)) },
    stderr: { write: (text: string) => Boolean((stderr += text)) },
    env,
    exportVectors: (options) => exportVectors({ ...options, env }),
  });
  return { exitCode, stdout, stderr };
}

/** Reads the exported files of a translation as a program that knows only the documentation. */
function readExport(translation: string) {
  const read = (name: string) => readFileSync(join(folder, translation, name));
  const about = JSON.parse(read('vectors.json').toString()) as { verses: number; dimensions: number; sha256: string };
  const lines = read('verses.tsv').toString().trimEnd().split('\n');
  const matrix = read('vectors.npy');
  const start = 10 + matrix.readUInt16LE(8);
  const vectorOf = (line: string) => {
    const at = start + lines.indexOf(line) * about.dimensions * 4;
    return Float32Array.from({ length: about.dimensions }, (_, index) => matrix.readFloatLE(at + index * 4));
  };
  return { about, lines, matrix, header: matrix.toString('latin1', 10, start), start, vectorOf };
}

test('corpus export --format vectors names the model, the number of verses and the SHA-256 of the vectors', async () => {
  expect(await run('--translation', 'eng-web')).toMatchObject({ exitCode: 0, stderr: '' });
  const { about, lines, matrix, header, start } = readExport('eng-web');
  const corpus = openCorpus(dataDir);
  const verses = corpus.translation('eng-web')?.verseCount;
  corpus.close();
  expect(about).toEqual({
    translation: 'eng-web',
    model: builtInModel.passageId,
    dimensions: 384,
    verses,
    textsDigest: expect.stringMatching(/./),
    sha256: createHash('sha256').update(matrix).digest('hex'),
  });
  expect(lines).toHaveLength(about.verses);
  expect(header).toMatch(
    new RegExp(`^\\{'descr': '<f4', 'fortran_order': False, 'shape': \\(${verses}, 384\\), \\} *\n$`),
  );
  expect([start % 64, matrix.length]).toEqual([0, start + about.verses * 384 * 4]);
});

test('an exported vector of a verse is that of the vectors file, with the length 1', async () => {
  expect(await run('--translation', 'spa-rv1909')).toMatchObject({ exitCode: 0, stderr: '' });
  const { lines, vectorOf } = readExport('spa-rv1909');
  const file = await readVectors(sharedVectorsFile(dataDir, builtInModel.passageId));
  const row = 12_345;
  expect(vectorOf(lines[row] ?? '')).toEqual(unitVector(file.rows.subarray(row * 384, (row + 1) * 384)));
});

test('an export has the vectors of verses that the shared vectors lack', async () => {
  await run('--translation', 'eng-own');
  const { lines, vectorOf } = readExport('eng-own');
  expect(lines).toEqual(['TOB\t1\t1', 'TOB\t1\t2']);
  const { rows } = await readVectors(join(data, 'translations', 'eng-own', 'verses.vec'));
  expect(lines.map(vectorOf)).toEqual([unitVector(rows.subarray(0, 384)), unitVector(rows.subarray(384))]);
});

test('the verse most similar to John 3:16 in the exported vectors is the first of Verse.similar', async () => {
  await run('--translation', 'eng-web');
  const { lines, vectorOf } = readExport('eng-web');
  const verse = vectorOf('JHN\t3\t16');
  const similarities = lines.map((line) => (line === 'JHN\t3\t16' ? -1 : dot(vectorOf(line), verse)));
  const nearest = lines[similarities.indexOf(Math.max(...similarities))]?.split('\t');
  const client = await openSemanticClient({ folder: data, env });
  const similar = await client.execute(
    'query ($of: [_Any!]!) { _entities(representations: $of) { ... on Verse { similar(limit: 1) { verse { bookId chapter verse } } } } }',
    { of: [{ __typename: 'Verse', id: idOf('eng-web JHN 3:16') }] },
  );
  await client.close();
  const [book, chapter, number] = nearest ?? [];
  expect(similar.data).toEqual({
    _entities: [{ similar: [{ verse: { bookId: book, chapter: Number(chapter), verse: Number(number) } }] }],
  });
});

test('corpus export --format vectors rejects a translation without vectors, and says how it gets them', async () => {
  await expect(run('--translation', 'eng-kjv')).rejects.toThrow(
    'eng-kjv has no verse vectors: name it in SEMANTIC_TRANSLATIONS, and run `npm run data`',
  );
});
