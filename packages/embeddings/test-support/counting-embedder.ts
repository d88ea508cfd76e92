import { createHash } from 'node:crypto';
import type { Embedder } from '../src';

/** An embedder without a model, whose vectors come from the letters of a text, and which remembers what it was asked. */
export function createCountingEmbedder({ id = 'letters', dimensions = 16 } = {}) {
  const asked: string[] = [];
  const vectorOf = (text: string): Float32Array => {
    const bytes = createHash('sha256').update(text).digest();
    const numbers = Float32Array.from({ length: dimensions }, (_, at) => (bytes[at % bytes.length] ?? 0) - 127.5);
    const length = Math.hypot(...numbers);
    return numbers.map((number) => number / length);
  };
  const embed = (texts: readonly string[]): Promise<Float32Array[]> => {
    asked.push(...texts);
    return Promise.resolve(texts.map(vectorOf));
  };
  const embedder: Embedder = {
    id,
    dimensions,
    embedQueries: embed,
    embedPassages: embed,
    warm: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  return { ...embedder, asked };
}
