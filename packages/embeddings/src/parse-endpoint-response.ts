import { embedderError } from './embedder';

interface Row {
  index?: unknown;
  embedding?: unknown;
}

/**
 * Parses the body of a `/v1/embeddings` response. Returns the vectors in the order of the texts,
 * normalized to unit length. Throws an EmbedderError if the number of vectors, an index or a vector
 * is not as requested.
 */
export function parseEndpointResponse(
  body: string,
  { count, dimensions }: { count: number; dimensions: number },
): Float32Array[] {
  const rows = parseRows(body);
  if (rows.length !== count) throw invalidResponse(`${rows.length} vectors for ${count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const [position, row] of rows.entries()) {
    const index = row.index ?? position;
    if (typeof index !== 'number' || !isFreeIndex(index, vectors)) throw invalidResponse('invalid or repeated indexes');
    vectors[index] = normalize(parseNumbers(row.embedding), dimensions);
  }
  return vectors.map((vector) => vector ?? throwInvalidResponse('fewer vectors than texts'));
}

const isFreeIndex = (index: number, vectors: readonly unknown[]): boolean =>
  Number.isInteger(index) && index >= 0 && index < vectors.length && vectors[index] === undefined;

function parseRows(body: string): Row[] {
  let response: unknown;
  try {
    response = JSON.parse(body);
  } catch {
    throw invalidResponse(body.trimStart().startsWith('<') ? 'HTML instead of JSON' : 'something that is not JSON');
  }
  const data = typeof response === 'object' && response !== null && 'data' in response ? response.data : null;
  if (!Array.isArray(data) || !data.every((row) => typeof row === 'object' && row !== null))
    throw invalidResponse('JSON without a list `data`');
  return data as Row[];
}

/**
 * Parses one vector: an array of numbers, or little-endian floats in base64, which some endpoints
 * send without a request for base64.
 */
function parseNumbers(embedding: unknown): ArrayLike<unknown> {
  if (Array.isArray(embedding)) return embedding;
  if (typeof embedding !== 'string') throw invalidResponse('a row without a vector');
  const bytes = Buffer.from(embedding, 'base64');
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readFloatLE(at * 4));
}

function normalize(numbers: ArrayLike<unknown>, dimensions: number): Float32Array {
  if (numbers.length !== dimensions)
    throw invalidResponse(`vectors of ${numbers.length} dimensions; EMBEDDINGS_DIMENSIONS says ${dimensions}`);
  const vector = Float32Array.from(numbers, (value) =>
    typeof value === 'number' && Number.isFinite(value)
      ? value
      : throwInvalidResponse('a vector with a component that is not a number'),
  );
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 0)) throw invalidResponse('a vector of nothing but zeros');
  return vector.map((value) => value / length);
}

const invalidResponse = (content: string) =>
  embedderError('unavailable', `the embedding endpoint responded with ${content}`);

function throwInvalidResponse(content: string): never {
  throw invalidResponse(content);
}
