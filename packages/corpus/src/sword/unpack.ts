import { inflateSync } from 'node:zlib';
import type * as Lzma from '@napi-rs/lzma';
import Bunzip from 'seek-bzip';
import { importError } from '../translation';

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
    Bunzip.decode(bytes, { writeByte });
    return text.subarray(0, end);
  },
  XZ(bytes, length) {
    // libsword appends zeros to the file, which ends with "YZ".
    const file = bytes.subarray(0, bytes.lastIndexOf('YZ') + 2);
    if (xzLength(file) > length) throw new Error('it is longer than its index says');
    // This module is loaded only when needed, because it is native code that services do not need.
    const { xz } = require('@napi-rs/lzma') as typeof Lzma;
    return xz.decompressSync(file);
  },
};
export const compressions = Object.keys(formats);

/** Unpacks a block, which must have exactly `length` bytes. Throws an ImportError. */
export function unpack(bytes: Buffer, length: number, compression: string, where: string): Buffer {
  let text: Buffer | undefined;
  try {
    text = formats[compression]?.(bytes, length);
  } catch (error) {
    throw importError(`${where} is damaged (${error instanceof Error ? error.message : String(error)})`);
  }
  if (text?.length !== length)
    throw importError(`${where} is damaged: it unpacks to ${text?.length} bytes, not ${length}`);
  return text;
}

/**
 * Returns the size of the unpacked data that the chunks of an .xz file declare. It is needed because the decoder has no
 * limit. Infinite if the file has more than one block, which libsword does not write.
 */
function xzLength(file: Buffer): number {
  let length = 0;
  let at = 12 + ((file[12] ?? 0) + 1) * 4;
  for (let control = file[at]; control; control = file[at]) {
    const isPacked = control >= 0x80;
    length += ((isPacked ? control & 0x1f : 0) << 16) + file.readUInt16BE(at + 1) + 1;
    at += isPacked ? file.readUInt16BE(at + 3) + (control >= 0xc0 ? 7 : 6) : file.readUInt16BE(at + 1) + 4;
  }
  // Padding, checksum, index and footer follow the end of the block.
  return file.length - at > 80 ? Number.POSITIVE_INFINITY : length;
}
