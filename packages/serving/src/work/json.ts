/** Whether a parsed JSON value is an object, and neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One call of `JSON.stringify` writes so many values. A long text counts as several, and may exceed it. */
const maxValuesPerPiece = 1_000;
/** The number of UTF-16 units that are written in one step, so that a step takes less than a millisecond. */
const charactersPerStep = 100_000;
/** The number of UTF-16 units of a text that count as one value. */
const charactersPerValue = charactersPerStep / maxValuesPerPiece;

/** Like `JSON.stringify`, in UTF-8, in steps of about a millisecond, or longer for a very long text. */
export function* stringifyInSteps(value: unknown): Generator<void, Buffer> {
  const chunks: Buffer[] = [];
  let text = '';
  for (const piece of writePieces(value)) {
    text += piece;
    if (text.length < charactersPerStep) continue;
    chunks.push(Buffer.from(text));
    text = '';
    yield;
  }
  chunks.push(Buffer.from(text));
  return Buffer.concat(chunks);
}

function* writePieces(value: unknown): Generator<string, void> {
  const isNested = typeof value === 'object' && value !== null;
  if (!isNested || countValues(value, maxValuesPerPiece) < maxValuesPerPiece) {
    yield JSON.stringify(value) ?? 'null';
    return;
  }
  const isList = Array.isArray(value);
  yield isList ? '[' : '{';
  let separator = '';
  for (const [key, item] of isList ? value.entries() : Object.entries(value)) {
    if (item === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* writePieces(item);
    separator = ',';
  }
  yield isList ? ']' : '}';
}

/** Counts a value and all values in it. Stops counting at about `max`. A long text counts as several values. */
function countValues(value: unknown, max: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerValue);
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value))
    for (const item of value) {
      count += countValues(item, max - count);
      if (count >= max) break;
    }
  // `Object.values` would take three times as long, because it copies the values.
  else
    for (const key in value) {
      count += countValues((value as Readonly<Record<string, unknown>>)[key], max - count);
      if (count >= max) break;
    }
  return count;
}
