/**
 * Encodes integers from 0 to 2^31 - 1 as variable-length integers (LEB128):
 * seven bits in each byte, and the eighth bit is set if more bytes follow.
 * Most numbers are small and take one byte.
 */
export function encodeVarints(numbers: readonly number[]): Buffer {
  const bytes: number[] = [];
  for (const number of numbers) {
    if (!Number.isInteger(number) || number < 0 || number > 0x7fffffff)
      throw new Error(`${number} is not an integer from 0 to 2^31 - 1`);
    let rest = number;
    for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

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

/**
 * Decodes integers into the array `numbers` and returns how many there are. The array must have at
 * least as many elements as there are bytes. The function allocates nothing, so that a caller
 * decodes the thousands of verses of a common word with one array. For a single verse,
 * `decodeVarints` is faster.
 */
export function decodeVarintsInto(numbers: Int32Array, bytes: Uint8Array): number {
  let size = 0;
  let number = 0;
  let shift = 0;
  // A loop by index is several times as fast as an iterator.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    number |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte > 0x7f) continue;
    numbers[size] = number;
    size += 1;
    number = 0;
    shift = 0;
  }
  return size;
}
