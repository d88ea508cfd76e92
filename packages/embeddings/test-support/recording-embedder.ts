import { createHash } from 'node:crypto';
import type { Embedder } from '../src';

/**
 * Creates an embedder without a model, which makes the vector of a text from a hash of the text. `embedded` lists the
 * texts that it received.
 */
export function createRecordingEmbedder({ id = 'letters', dimensions = 16 } = {}) {
  const embedded: string[] = [];
  const vectorOf = (text: string): Float32Array => {
    const bytes = createHash('sha256').update(text).digest();
    const numbers = Float32Array.from({ length: dimensions }, (_, at) => (bytes[at % bytes.length] ?? 0) - 127.5);
    const length = Math.hypot(...numbers);
    return numbers.map((number) => number / length);
  };
  const embed = (texts: readonly string[]): Promise<Float32Array[]> => {
    embedded.push(...texts);
    return Promise.resolve(texts.map(vectorOf));
  };
  const embedder: Embedder = {
    id,
    passageId: id,
    dimensions,
    parallelQueries: 1,
    embedQueries: embed,
    embedPassages: embed,
    warm: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { ...embedder, embedded };
}
