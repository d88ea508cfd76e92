import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { wordVectors, writeTinyModel } from '../test-support/write-tiny-model';
import { createBuiltInEmbedder, createFolderEmbedder, type Embedder, type ModelFolderOptions } from './index';

const folder = temporaryFolder();
const opened: Embedder[] = [];
afterAll(() => Promise.all(opened.map((embedder) => embedder.close())));

async function open(options: Partial<ModelFolderOptions> & { folder: string }): Promise<Embedder> {
  const embedder = await createFolderEmbedder({
    queryPrefix: '',
    passagePrefix: '',
    cores: 1,
    queueLength: 100,
    ...options,
  });
  opened.push(embedder);
  return embedder;
}

function unitMean(rows: readonly (readonly number[] | undefined)[]): number[] {
  const sum = [0, 1, 2, 3].map((at) => rows.reduce((total, row) => total + (row?.[at] ?? 0), 0));
  return sum.map((value) => value / Math.hypot(...sum));
}

const rounded = (vector: ArrayLike<number> | undefined): string[] =>
  Array.from(vector ?? [], (value) => value.toFixed(5));

const [cls, , sep, , love, hate, q, p] = wordVectors;

test('with mean pooling, the folder embedder averages the token vectors of a text without padding', async () => {
  const embedder = await open({ folder: writeTinyModel(join(folder, 'mean')) });
  expect(embedder.dimensions).toBe(4);
  const [one, two] = await embedder.embedPassages(['love', 'love hate hate']);
  expect(rounded(one)).toEqual(rounded(unitMean([cls, love, sep])));
  expect(rounded(two)).toEqual(rounded(unitMean([cls, love, hate, hate, sep])));
});

test('with cls pooling, the folder embedder returns the vector of the first token', async () => {
  const bySetting = await open({ folder: writeTinyModel(join(folder, 'cls')), pooling: 'cls' });
  expect(rounded((await bySetting.embedQueries(['love']))[0])).toEqual(rounded(unitMean([cls])));
  const byFolder = await open({
    folder: writeTinyModel(join(folder, 'cls-declared'), {
      config: { '1_Pooling/config.json': { pooling_mode_cls_token: true } },
    }),
  });
  expect(rounded((await byFolder.embedQueries(['hate']))[0])).toEqual(rounded(unitMean([cls])));
  expect(byFolder.id.replace(/^cls-declared/, 'cls')).toBe(bySetting.id);
});

test('the folder embedder prepends the prefixes to queries and passages, and its id depends on the prefixes', async () => {
  const plain = await open({ folder: writeTinyModel(join(folder, 'prefixes')) });
  const prefixed = await open({ folder: join(folder, 'prefixes'), queryPrefix: 'q ', passagePrefix: 'p ' });
  expect(rounded((await prefixed.embedQueries(['love']))[0])).toEqual(rounded(unitMean([cls, q, love, sep])));
  expect(rounded((await prefixed.embedPassages(['love']))[0])).toEqual(rounded(unitMean([cls, p, love, sep])));
  expect(prefixed.id).not.toBe(plain.id);
});

test('the id of the folder embedder depends on tokenizer_config.json, which can change the tokens of a text', async () => {
  const target = join(folder, 'tokenizer-config');
  const plain = await open({ folder: writeTinyModel(target) });
  const config = { 'tokenizer_config.json': { remove_space: true } };
  const configured = await open({ folder: writeTinyModel(target, { config }) });
  expect(configured.id).not.toBe(plain.id);
});

test('the folder embedder truncates a text to the maximum length of the model, and keeps the closing token', async () => {
  const embedder = await open({
    folder: writeTinyModel(join(folder, 'short'), { config: { 'config.json': { max_position_embeddings: 4 } } }),
  });
  expect(rounded((await embedder.embedQueries(['love hate hate hate hate']))[0])).toEqual(
    rounded(unitMean([cls, love, hate, sep])),
  );
});

test('for a folder with the built-in model, the folder embedder computes the same vector as the built-in embedder', async () => {
  const laidOut = join(folder, 'e5');
  mkdirSync(join(laidOut, 'onnx'), { recursive: true });
  for (const name of ['model.onnx', 'model.onnx_data'])
    cpSync(join(__dirname, '..', 'model', name), join(laidOut, 'onnx', name));
  cpSync(join(__dirname, '..', 'model', 'tokenizer.json'), join(laidOut, 'tokenizer.json'));
  const byFolder = await open({ folder: laidOut, queryPrefix: 'query: ', passagePrefix: 'passage: ' });
  const builtIn = createBuiltInEmbedder({ cores: 1, queueLength: 10 });
  opened.push(builtIn);
  const [mine, its] = await Promise.all([
    byFolder.embedQueries(['amor al prójimo']),
    builtIn.embedQueries(['amor al prójimo']),
  ]);
  expect(Array.from(mine[0] ?? [])).toEqual(Array.from(its[0] ?? [1]));
});

test('createFolderEmbedder rejects a folder without a usable model, and says what is missing', async () => {
  await expect(open({ folder: join(folder, 'nowhere') })).rejects.toThrow(/EMBEDDINGS_MODEL_DIR: there is no folder/);
  await expect(open({ folder: writeTinyModel(join(folder, 'mute'), { tokenizer: false }) })).rejects.toThrow(
    /has no tokenizer\.json/,
  );
  rmSync(join(writeTinyModel(join(folder, 'hollow')), 'onnx'), { recursive: true });
  await expect(open({ folder: join(folder, 'hollow') })).rejects.toThrow(
    /holds no model; looked for onnx\/model\.onnx/,
  );
  writeFileSync(join(writeTinyModel(join(folder, 'broken')), 'onnx', 'model.onnx'), 'no model');
  await expect(open({ folder: join(folder, 'broken') })).rejects.toMatchObject({
    failure: 'misconfigured',
    message: expect.stringContaining('cannot be loaded'),
  });
  writeFileSync(join(writeTinyModel(join(folder, 'garbled')), 'tokenizer.json'), '{');
  await expect(open({ folder: join(folder, 'garbled') })).rejects.toMatchObject({
    failure: 'misconfigured',
    message: expect.stringContaining('cannot be loaded'),
  });
});
