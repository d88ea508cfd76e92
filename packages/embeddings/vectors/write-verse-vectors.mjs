// Writes trained vectors of verses into spa-rv1909.vec beside this file, which Lectern ships:
//
//     node packages/embeddings/vectors/write-verse-vectors.mjs TRAINED.f32
//
// TRAINED.f32 has 384 numbers for each verse, in the order of the file (model/train/train-verse-vectors.py).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { readVectors, writeVectors } = createRequire(import.meta.url)('../dist/vectors.js');
const file = join(dirname(fileURLToPath(import.meta.url)), 'spa-rv1909.vec');
const vectors = await readVectors(file);
const { buffer, byteOffset, byteLength } = readFileSync(process.argv[2] ?? '');
const trained = new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength));
if (trained.length !== vectors.rows.length)
  throw new Error(`${process.argv[2]} has ${trained.length} numbers; ${file} needs ${vectors.rows.length}`);
const scale = trained.reduce((max, value) => Math.max(max, Math.abs(value)), 0) / 127;
await writeVectors(file, { ...vectors, scale, rows: Int8Array.from(trained, (value) => Math.round(value / scale)) });
