/** Whole numbers from 0 to 2^31 - 1 as bytes, seven bits in each and the eighth for "more follows": the small ones, which are most, take one. */
export function encodeVarints(numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const number of numbers) {
    if (!Number.isInteger(number) || number < 0 || number > 0x7fffffff) throw new Error(`${number} cannot be packed`);
    let rest = number;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

/** What `packNumbers` was given. */
export function decodeVarints(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  let number = 0;
  let shift = 0;
  for (const byte of bytes) {
    number |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte > 0x7f) continue;
    numbers.push(number);
    number = 0;
    shift = 0;
  }
  return numbers;
}
