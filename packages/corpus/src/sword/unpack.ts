import { inflateSync } from 'node:zlib';
import type * as Lzma from '@napi-rs/lzma';
import { importError, messageOf } from '../translation';

const formats: Readonly<Record<string, (bytes: Buffer, length: number) => Buffer>> = {
  ZIP: (bytes, length) => inflateSync(bytes, { maxOutputLength: Math.max(length, 1) }),
  BZIP2(bytes, length) {
    const text = Buffer.alloc(length);
    let end = 0;
    const writeByte = (byte: number): void => {
      if (end === length) throw new Error('it is longer than its index says');
      text[end] = byte;
      end += 1;
    };
    // The package has no types.
    const bunzip = require('seek-bzip') as { decode(input: Buffer, output: { writeByte(byte: number): void }): void };
    bunzip.decode(bytes, { writeByte });
    return text.subarray(0, end);
  },
  XZ(bytes, length) {
    // An .xz file ends with "YZ". libsword appends zeros to it.
    const file = bytes.subarray(0, bytes.lastIndexOf('YZ') + 2);
    if (xzLength(file) > length) throw new Error('it is longer than its index says');
    // This module is loaded only when needed, because it is native code that services do not need.
    const { xz } = require('@napi-rs/lzma') as typeof Lzma;
    return xz.decompressSync(file);
  },
  LZSS: unpackLzss,
};
export const compressions = Object.keys(formats);

/** The maximum size of an unpacked block, in bytes. The largest book with markup has a tenth of this size. */
export const maxBlockBytes = 32_000_000;

/** Unpacks a block, which must have exactly `length` bytes. Throws an ImportError. */
export function unpack(bytes: Buffer, length: number, compression: string, where: string): Buffer {
  if (length > maxBlockBytes)
    throw importError(`${where} unpacks to ${length} bytes; at most ${maxBlockBytes} are read`);
  let text: Buffer | undefined;
  try {
    text = formats[compression]?.(bytes, length);
  } catch (error) {
    throw importError(`${where} is damaged (${messageOf(error)})`);
  }
  if (text?.length !== length)
    throw importError(`${where} is damaged: it unpacks to ${text?.length} bytes, not ${length}`);
  return text;
}

/**
 * Unpacks LZSS. Each bit of a flag byte, from the lowest, describes the next item: 1 is a plain byte, and 0 is a copy
 * of earlier bytes. A copy is stored in two bytes: 12 bits for its place, and 4 bits for its length minus 3. The
 * place is an index into a ring of 4,096 bytes. The text begins at index 4,078, and the bytes before it are spaces.
 */
function unpackLzss(bytes: Buffer, length: number): Buffer {
  const start = 4_078;
  const text = Buffer.alloc(start + length, ' ');
  let end = start;
  let at = 0;
  const write = (byte: number): void => {
    if (end === text.length) throw new Error('it is longer than its index says');
    text[end] = byte;
    end += 1;
  };
  while (at < bytes.length) {
    const flags = bytes.readUInt8(at);
    at += 1;
    for (let bit = 0; bit < 8 && at < bytes.length; bit += 1) {
      if ((flags >> bit) & 1) {
        write(bytes.readUInt8(at));
        at += 1;
        continue;
      }
      const [low, high] = [bytes.readUInt8(at), bytes.readUInt8(at + 1)];
      at += 2;
      // The distance back from the end of the text, from 1 to 4,096. A copy from before the text is spaces.
      const place = low | ((high & 0xf0) << 4);
      const distance = ((end - place - 1) & 4_095) + 1;
      for (let rest = (high & 15) + 3; rest > 0; rest -= 1) write(text[end - distance] ?? 0x20);
    }
  }
  return text.subarray(start, end);
}

/** Returns the unpacked size that an .xz file declares: the decoder has no limit. Infinite if it has several blocks. */
function xzLength(file: Buffer): number {
  let length = 0;
  let at = 12 + ((file[12] ?? 0) + 1) * 4;
  for (let control = file[at]; control; control = file[at]) {
    const isPacked = control >= 0x80;
    length += ((isPacked ? control & 0x1f : 0) << 16) + file.readUInt16BE(at + 1) + 1;
    at += isPacked ? file.readUInt16BE(at + 3) + (control >= 0xc0 ? 7 : 6) : file.readUInt16BE(at + 1) + 4;
  }
  // After the block there are only padding, checksum, index and footer. More bytes mean another block.
  return file.length - at > 80 ? Number.POSITIVE_INFINITY : length;
}
