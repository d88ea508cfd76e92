import { createHash } from 'node:crypto';
import { closeSync, existsSync, ftruncateSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { explainWriteError } from '@lectern/data-files';

const format = 'lectern-passages-1';
const headerLength = 256;
const keyLength = 32;

const keyOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Opens a checkpoint file, which keeps the vectors of single texts if a build is interrupted.
 * Records are only appended. If the last record is incomplete, for example after a power cut, it is
 * removed. A file of another model is overwritten.
 */
export function openVectorsCheckpoint(
  file: string,
  { embedder, dimensions }: { embedder: string; dimensions: number },
) {
  const header = Buffer.from(`${JSON.stringify({ format, embedder, dimensions }).padEnd(headerLength - 1)}\n`);
  const recordLength = keyLength + dimensions * 4;
  const vectors = new Map<string, Float32Array>();

  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  const isOfThisModel = bytes.length >= headerLength && bytes.subarray(0, headerLength).equals(header);
  const completeRecords = isOfThisModel ? Math.floor((bytes.length - headerLength) / recordLength) : 0;
  for (let record = 0; record < completeRecords; record += 1) {
    const at = headerLength + record * recordLength;
    vectors.set(
      bytes.toString('hex', at, at + keyLength),
      Float32Array.from({ length: dimensions }, (_, dimension) => bytes.readFloatLE(at + keyLength + dimension * 4)),
    );
  }
  const handle = openSync(file, isOfThisModel ? 'r+' : 'w');
  const write = (data: Buffer, position: number): void => {
    try {
      // The loop is needed, because writeSync writes only a part of the data if the disk has no
      // room for the rest.
      for (let written = 0; written < data.length; )
        written += writeSync(handle, data, written, data.length - written, position + written);
    } catch (error) {
      throw explainWriteError(file, error);
    }
  };
  let end = headerLength + completeRecords * recordLength;
  if (isOfThisModel) ftruncateSync(handle, end);
  else write(header, 0);

  return {
    has: (text: string): boolean => vectors.has(keyOf(text)),
    /** Returns the vector of a text. Throws an error if the file has no vector of this text. */
    vector(text: string): Float32Array {
      const vector = vectors.get(keyOf(text));
      if (!vector) throw new Error('a text was not embedded before its verse was made');
      return vector;
    },
    append(texts: readonly string[], textVectors: readonly Float32Array[]): void {
      const records = Buffer.alloc(texts.length * recordLength);
      for (const [record, text] of texts.entries()) {
        const vector = textVectors[record] ?? new Float32Array(dimensions);
        records.write(keyOf(text), record * recordLength, 'hex');
        for (const [dimension, value] of vector.entries())
          records.writeFloatLE(value, record * recordLength + keyLength + dimension * 4);
        vectors.set(keyOf(text), vector);
      }
      write(records, end);
      end += records.length;
    },
    close: (): void => closeSync(handle),
    /** Closes and deletes the file, when the build is complete. */
    remove(): void {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}
export type VectorsCheckpoint = ReturnType<typeof openVectorsCheckpoint>;
