import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeOf } from '@lectern/canon';
import { openVectors, textsDigest } from '@lectern/embeddings';
import { type BuildSemanticFilesOptions, ordinalsOf, withBuildParts } from './build';
import { createSharedRows, sharedVectorsFile } from './shared-rows';
import { readUnsharedVectors, unsharedVectorsFile } from './verse-vectors';

interface ExportVectorsOptions extends BuildSemanticFilesOptions {
  folder: string;
  /** The identifiers of the translations. By default all that have vectors. */
  translations?: readonly string[] | undefined;
}

/**
 * Writes the verse vectors of each translation to a folder of its own: `vectors.npy` and `verses.tsv`, with a row and a
 * line for each verse, and `vectors.json`, which names the model. docs/texts.md describes the files. Resolves with the
 * translations. Rejects if one has no vectors, or if they are not up to date.
 */
export async function exportVectors({ folder, translations: selected, ...options }: ExportVectorsOptions) {
  const exported = await withBuildParts(options, async ({ corpus, embedder, dataDir, translations }) => {
    const missing = selected?.find((each) => !translations.some(({ identifier }) => identifier === each));
    if (missing !== undefined) throw noVectors(missing);
    const shared = await openVectors(sharedVectorsFile(dataDir, embedder.passageId), { embedder: embedder.passageId });
    try {
      const { rowOf } = createSharedRows(shared);
      const written = translations.filter(({ identifier }) => selected?.includes(identifier) ?? true);
      for (const translation of written) {
        const { identifier, numbering } = translation;
        const digest = textsDigest(corpus.translationDigest, identifier);
        const expected = { embedder: embedder.passageId, translation: identifier, textsDigest: digest };
        const own = await readUnsharedVectors(unsharedVectorsFile(dataDir, identifier), expected);
        const embedded = ordinalsOf(translation).flatMap((ordinal) => {
          const row = rowOf(ordinal, numbering);
          const vector = row === null ? own?.vectorOf(ordinal) : shared.vectorOf(shared.ordinals[row] ?? 0);
          return vector ? [{ ordinal, vector }] : [];
        });
        const about = { translation: identifier, model: embedder.passageId, textsDigest: digest };
        writeTranslation(join(folder, identifier), embedded, about);
      }
      return written.map(({ identifier }) => identifier);
    } finally {
      await shared.close();
    }
  });
  if (exported === null) throw noVectors(selected?.[0] ?? 'The corpus');
  return exported;
}

const noVectors = (translation: string): Error =>
  new Error(`${translation} has no verse vectors: name it in SEMANTIC_TRANSLATIONS, and run \`npm run data\``);

function writeTranslation(
  folder: string,
  verses: readonly { ordinal: number; vector: Float32Array }[],
  texts: Readonly<Record<string, string>>,
): void {
  const dimensions = verses[0]?.vector.length ?? 0;
  const rows = verses.map(({ vector }) => vector);
  const matrix = writeMatrix(rows, dimensions);
  const about = { ...texts, dimensions, verses: verses.length, sha256: hash('sha256', matrix) };
  const lines = verses.map(({ ordinal }) => {
    const { book, chapter, verse } = placeOf(ordinal);
    return `${book}\t${chapter}\t${verse}\n`;
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'verses.tsv'), lines.join(''));
  writeFileSync(join(folder, 'vectors.npy'), matrix);
  writeFileSync(join(folder, 'vectors.json'), `${JSON.stringify(about, null, 2)}\n`);
}

/**
 * Writes rows in the format NPY 1.0 of NumPy, as 32-bit floats in little-endian order.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
function writeMatrix(rows: readonly Float32Array[], dimensions: number): Buffer {
  const about = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows.length}, ${dimensions}), }`;
  // The numbers begin at a multiple of 64 bytes. 10 bytes stand before this header, and a line feed ends it.
  const header = `${about.padEnd(Math.ceil((about.length + 11) / 64) * 64 - 11)}\n`;
  const matrix = Buffer.alloc(10 + header.length + rows.length * dimensions * 4);
  matrix.write(`\x93NUMPY\x01\x00`, 'latin1');
  matrix.writeUInt16LE(header.length, 8);
  matrix.write(header, 10, 'latin1');
  let at = 10 + header.length;
  for (const row of rows) for (const value of row) at = matrix.writeFloatLE(value, at);
  return matrix;
}
