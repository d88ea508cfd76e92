import { embedderError } from './embedder';

interface Row {
  index?: unknown;
  embedding?: unknown;
}

/** The vectors in an answer of `/v1/embeddings`, in the order of the texts and of length 1. Refuses whatever is not exactly what was asked for. */
export function parseEndpointResponse(
  body: string,
  { count, dimensions }: { count: number; dimensions: number },
): Float32Array[] {
  const rows = readRows(body);
  if (rows.length !== count) throw refused(`${rows.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, row] of rows.entries()) {
    const index = row.index ?? position;
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count || vectors[index])
      throw refused(`vectors that are numbered wrong`);
    vectors[index] = normalised(readNumbers(row.embedding), dimensions);
  }
  return vectors.map((vector) => vector ?? raise('fewer vectors than texts'));
}

function readRows(body: string): Row[] {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    throw refused(body.trimStart().startsWith('<') ? 'HTML instead of JSON' : 'something that is not JSON');
  }
  const data = typeof answer === 'object' && answer !== null && 'data' in answer ? answer.data : null;
  if (!Array.isArray(data) || !data.every((row) => typeof row === 'object' && row !== null))
    throw refused('JSON without a list `data`');
  return data as Row[];
}

/** Numbers, or the same as little-endian floats in base64, which some endpoints send whatever is asked. */
function readNumbers(embedding: unknown): ArrayLike<unknown> {
  if (Array.isArray(embedding)) return embedding;
  if (typeof embedding !== 'string') throw refused('a row without a vector');
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}

function normalised(numbers: ArrayLike<unknown>, dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw refused(`vectors of ${numbers.length} dimensions; EMBEDDINGS_DIMENSIONS says ${dimensions}`);
  const vector = Float32Array.from(numbers, (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? value
      : raise('a vector with something in it that is no number'),
  );
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0)) throw refused('a vector of nothing but zeros');
  return vector.map((value) => value / length);
}

const refused = (what: string) => embedderError('unavailable', `the embedding endpoint answered with ${what}`);

function raise(what: string): never {
  throw refused(what);
}
