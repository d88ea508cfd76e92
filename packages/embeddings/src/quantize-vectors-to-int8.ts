type Vector = Float32Array | Float64Array;

/** Returns the scale with which every component of these vectors fits a signed byte. */
export function scaleOf(vectors: Iterable<Vector>): number {
  let max = 0;
  for (const vector of vectors) for (const value of vector) max = Math.max(max, Math.abs(value));
  return max / 127;
}

/** Returns the components in units of `scale`, as signed bytes. Clamps larger components. */
export const quantize = (vector: Vector, scale: number): Int8Array =>
  Int8Array.from(vector, (value) => Math.max(-127, Math.min(127, Math.round(value / scale))));
