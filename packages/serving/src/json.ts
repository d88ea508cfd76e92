/** Whether a parsed JSON value is an object, and neither an array nor null. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One call of `JSON.stringify` writes fewer values (objects, lists and scalars), or one long text. */
const maxValuesPerPiece = 1_000;
/** The number of UTF-16 units that are written in less than a millisecond. */
const charactersPerStep = 100_000;
/** The number of UTF-16 units of a text that count as one more value. */
const charactersPerValue = charactersPerStep / maxValuesPerPiece;

/** As `JSON.stringify` in UTF-8. A step takes a millisecond, unless a text is very long. */
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

/** Counts a value and the values in it, up to `max`. A long text counts as several values. */
function countValues(value: unknown, max: number): number {
  if (typeof value === 'string') return 1 + Math.floor(value.length / charactersPerValue);
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  if (Array.isArray(value))
    for (const item of value) {
      count += countValues(item, max - count);
      if (count >= max) break;
    }
  // `Object.values` would copy the values first, which takes three times as long.
  else
    for (const key in value) {
      count += countValues((value as Readonly<Record<string, unknown>>)[key], max - count);
      if (count >= max) break;
    }
  return count;
}
