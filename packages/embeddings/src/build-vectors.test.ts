import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { useStarted } from '@lectern/testing';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { openRealCorpus, partOf } from '../test-support/open-or-build-real-corpus';
import { createRecordingEmbedder } from '../test-support/recording-embedder';
import { type BuildVectorsOptions, buildVectors, eachVerseText, type OpenVectors, openVectors } from './index';

const folder = temporaryFolder();
const translation = 'spa-rv1909';
const whole = useStarted(openRealCorpus);

const books = ['JON', 'PHM'];

/** Builds the vectors of two books into a file. */
function build(name: string, options: Partial<BuildVectorsOptions> = {}) {
  const embedder = createRecordingEmbedder();
  const lines: string[] = [];
  const file = join(folder, name);
  const done = buildVectors({
    corpus: partOf(whole, books),
    translation,
    embedder,
    file,
    log: (line) => lines.push(line),
    ...options,
  });
  return { done, file, lines, embedded: embedder.embedded };
}

async function withVectors<Result>(file: string, use: (vectors: OpenVectors) => Result): Promise<Awaited<Result>> {
  const vectors = await openVectors(file);
  try {
    return await use(vectors);
  } finally {
    await vectors.close();
  }
}

const ordinal = (chapter: number, verse: number): number => 32_000_000 + chapter * 1000 + verse;

test('buildVectors computes one vector of length 1 for each verse, from the verse, its English text and its neighbors', async () => {
  const { done, file, lines } = build('all.vec');
  // Jonah has 47 verses in this translation, Philemon 25.
  expect(await done).toEqual({ verses: 72, computed: 72 });
  expect(lines.at(-1)).toContain('72 vectors in');
  const embedder = createRecordingEmbedder();
  const texts = new Map<string, readonly number[]>();
  // Jonah 2:1 in this translation is 1:17 in English, and 2:2 is 2:1 in English.
  const [own, english] = [
    whole.chapter(translation, 'JON', 2),
    [...whole.chapter('eng-web', 'JON', 1).slice(16), ...whole.chapter('eng-web', 'JON', 2)],
  ];
  for (const { text } of [...own, ...english])
    texts.set(text, Array.from((await embedder.embedPassages([text]))[0] ?? []));
  const unit = (vector: readonly number[]): number[] => vector.map((value) => value / Math.hypot(...vector));
  const mean = (at: number): number[] =>
    unit(
      (texts.get(own[at]?.text ?? '') ?? []).map(
        (value, dimension) => 0.55 * value + 0.45 * (texts.get(english[at]?.text ?? '')?.[dimension] ?? 0),
      ),
    );
  const expected = unit(
    mean(1).map((value, dimension) => value + 0.15 * (mean(0)[dimension] ?? 0) + 0.15 * (mean(2)[dimension] ?? 0)),
  );
  const stored = await withVectors(file, (vectors) => vectors.vectorOf(ordinal(2, 2)));
  expect(Math.hypot(...(stored ?? []))).toBeCloseTo(1, 5);
  for (const [dimension, value] of expected.entries())
    expect(Math.abs((stored?.[dimension] ?? 9) - value)).toBeLessThan(0.01);
});

test('buildVectors computes nothing and leaves the file unchanged if the file is up to date', async () => {
  await build('same.vec').done;
  const written = () => statSync(join(folder, 'same.vec'), { bigint: true }).mtimeNs;
  const before = written();
  const again = build('same.vec');
  expect(await again.done).toEqual({ verses: 72, computed: 0 });
  expect(again.embedded).toEqual([]);
  expect(written()).toBe(before);
});

test('buildVectors recomputes only the vectors of a changed verse and of its two neighbors', async () => {
  const first = build('before.vec');
  await first.done;
  const corpus = partOf(whole, books, {
    digest: 'changed',
    changed: new Map([[`${translation} JON 1:5`, 'Otra cosa.']]),
  });
  copyFileSync(first.file, join(folder, 'changed.vec'));
  const second = build('changed.vec', { corpus });
  expect(await second.done).toEqual({ verses: 72, computed: 3 });
  // The vectors of the changed verse and its two neighbors depend on five verses, each with a text
  // in two languages.
  expect(second.embedded).toHaveLength(10);
  const inspect = (vectors: OpenVectors) => ({
    header: vectors.header,
    changed: vectors.vectorOf(ordinal(1, 5)),
    same: vectors.vectorOf(ordinal(3, 1)),
  });
  const [before, after] = [await withVectors(first.file, inspect), await withVectors(second.file, inspect)];
  expect(after.header).toMatchObject({ textsDigest: 'changed+changed', scale: before.header.scale });
  expect(after.same).toEqual(before.same);
  expect(after.changed).not.toEqual(before.changed);
});

test('openVectors keeps reading the vectors file that it opened, even after a new build replaces the file', async () => {
  const first = build('open.vec');
  await first.done;
  await withVectors(first.file, async (vectors) => {
    const vector = vectors.vectorOf(ordinal(1, 5)) ?? new Float32Array();
    const before = await vectors.nearestRows({ vector, limit: 5 });
    await build('open.vec', { corpus: partOf(whole, ['PHM'], { digest: 'fewer' }) }).done;
    expect((await withVectors(first.file, ({ header }) => header)).count).toBe(25);
    expect([vectors.vectorOf(ordinal(1, 5)), await vectors.nearestRows({ vector, limit: 5 })]).toEqual([
      vector,
      before,
    ]);
  });
});

test('buildVectors for the translation eng-web embeds only the verses of eng-web', async () => {
  const { done, embedded } = build('alone.vec', { translation: 'eng-web' });
  // The English Jonah has 48 verses.
  expect((await done).computed).toBe(73);
  const texts = Array.from(eachVerseText(partOf(whole, books), 'eng-web'), ({ text }) => text);
  expect([...embedded].sort()).toEqual(texts.sort());
});

test('buildVectors resumes an interrupted build from its checkpoint, and writes the same file as an uninterrupted build', async () => {
  const small = partOf(whole, ['RUT', 'JON', '1JN', '1PE']);
  const stop = new AbortController();
  const embedder = createRecordingEmbedder();
  const stopping = {
    ...embedder,
    embedPassages: (texts: readonly string[]) =>
      embedder.embedPassages(texts).finally(() => stop.abort(new Error('Ctrl-C'))),
  };
  const first = build('stopped.vec', { corpus: small, embedder: stopping, signal: stop.signal });
  await expect(first.done).rejects.toThrow('Ctrl-C');
  await expect(openVectors(first.file)).rejects.toThrow(/is missing: run `npm run data`/);
  // Simulates a power cut: the last record is incomplete.
  const checkpoint = `${first.file}.passages`;
  writeFileSync(checkpoint, readFileSync(checkpoint).subarray(0, -7));
  const second = build('stopped.vec', { corpus: small });
  const { verses } = await second.done;
  expect(second.lines[1]).toMatch(/continues after 255 of/);
  const third = build('never-stopped.vec', { corpus: small });
  await third.done;
  expect(embedder.embedded.length + second.embedded.length).toBe(third.embedded.length + 1);
  expect(verses).toBeGreaterThan(300);
  expect(readFileSync(second.file).equals(readFileSync(third.file))).toBe(true);
  expect(() => readFileSync(checkpoint)).toThrow(/ENOENT/);
});

test('buildVectors ignores the checkpoint that another embedding model wrote', async () => {
  const stop = new AbortController();
  const other = createRecordingEmbedder({ id: 'another' });
  const stopping = {
    ...other,
    embedPassages: (texts: readonly string[]) =>
      other.embedPassages(texts).finally(() => stop.abort(new Error('stop'))),
  };
  const small = partOf(whole, ['RUT', 'JON', '1JN', '1PE']);
  const first = build('of-two-models.vec', { corpus: small, embedder: stopping, signal: stop.signal });
  await expect(first.done).rejects.toThrow('stop');
  const second = build('of-two-models.vec', { corpus: small });
  await second.done;
  const third = build('of-one-model.vec', { corpus: small });
  await third.done;
  expect(second.embedded).toEqual(third.embedded);
});

test('buildVectors logs the progress, the speed and the remaining time', async () => {
  let clock = 0;
  const { done, lines } = build('progress.vec', {
    corpus: partOf(whole, ['RUT', 'JON', '1JN', '1PE']),
    now: () => (clock += 6_000),
  });
  await done;
  expect(lines.some((line) => /^spa-rv1909: 256 of \d+ passages, \d+ a second, \d+ (s|min) left$/.test(line))).toBe(
    true,
  );
});

test('openVectors rejects an unusable file in one line that names the command to run', async () => {
  const { done, file } = build('good.vec');
  await done;
  const bytes = readFileSync(file);
  const broken = (name: string, content: Buffer): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const flipped = Buffer.from(bytes);
  flipped.writeUInt8(flipped.readUInt8(2000) ^ 1, 2000);
  const header = bytes.toString('latin1').replace('"formatVersion":1', '"formatVersion":7');
  const cases: [() => Promise<unknown>, RegExp][] = [
    [() => openVectors(join(folder, 'none.vec')), /is missing/],
    [() => openVectors(folder), /cannot be read/],
    [() => openVectors(broken('half.vec', bytes.subarray(0, bytes.length / 2))), /is damaged \(\d+ bytes of \d+\)/],
    [() => openVectors(broken('short.vec', bytes.subarray(0, 10))), /is damaged/],
    [() => openVectors(broken('empty.vec', Buffer.alloc(0))), /is not a vectors file/],
    [() => openVectors(broken('other.vec', Buffer.from('SQLite format 3'))), /is not a vectors file/],
    [() => openVectors(broken('flipped.vec', flipped)), /checksum differs/],
    [() => openVectors(broken('format.vec', Buffer.from(header, 'latin1'))), /has format 7/],
    [
      () => openVectors(file, { embedder: 'another' }),
      /was made by the model letters, and queries are embedded by another/,
    ],
    [() => openVectors(file, { translation: 'eng-kjv' }), /is of the translation spa-rv1909, not of eng-kjv/],
    [() => openVectors(file, { textsDigest: 'another' }), /was made from other texts/],
  ];
  for (const [opening, message] of cases) {
    await expect(opening()).rejects.toThrow(message);
    await expect(opening()).rejects.toThrow(/^[^\n]+: run `npm run data` to make it anew$/);
  }
});

test('buildVectors recomputes all vectors if the file is damaged or comes from another embedding model', async () => {
  const { done, file } = build('replaced.vec');
  await done;
  writeFileSync(file, readFileSync(file).subarray(0, 900));
  expect((await build('replaced.vec').done).computed).toBe(72);
  expect(
    (await build('replaced.vec', { embedder: createRecordingEmbedder({ id: 'another', dimensions: 8 }) }).done)
      .computed,
  ).toBe(72);
  expect((await withVectors(file, ({ header }) => header)).dimensions).toBe(8);
});

test('buildVectors with the option `only` writes only the vectors of the verses in this option', async () => {
  const { done: doneAll, file: allFile } = build('for-comparison.vec');
  await doneAll;
  const all = await withVectors(allFile, ({ ordinals, vectorOf }) => ({ ordinals, vectorOf: vectorOf(32_001_002) }));
  const { done, file } = build('only.vec', { only: new Set([32_001_002, 32_004_011]) });
  expect(await done).toEqual({ verses: 2, computed: 2 });
  await withVectors(file, ({ ordinals, vectorOf }) => {
    expect(Array.from(ordinals)).toEqual([32_001_002, 32_004_011]);
    for (const [at, value] of (vectorOf(32_001_002) ?? []).entries())
      expect(value).toBeCloseTo(all.vectorOf?.[at] ?? Number.NaN, 1);
  });
  const { done: none, embedded } = build('none.vec', { only: new Set() });
  expect([await none, embedded]).toEqual([{ verses: 0, computed: 0 }, []]);
});
