import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { storeChecksum, writeChecksummedFile } from '../src/index';
import { kind } from './small-data-folder';

/** The ways to damage the file of the translation b, with the expected error message. */
export const damages: readonly (readonly [description: string, damage: (file: string) => unknown, message: RegExp])[] =
  [
    ['is missing', (file) => rmSync(file), /is missing: run `npm run data`/],
    ['is empty', (file) => writeFileSync(file, ''), /is not a text of Lectern: run `npm run data`/],
    [
      'is a folder',
      (file) => {
        rmSync(file);
        mkdirSync(file);
      },
      /is a folder, not a text: move it away and run `npm run data`/,
    ],
    ['is cut off', (file) => truncateSync(file, 8_192), /is damaged \(8192 bytes\): run `npm run data`/],
    [
      'has an extra byte at its end',
      (file) => appendFileSync(file, 'x'),
      /is damaged \(\d+ bytes\): run `npm run data`/,
    ],
    [
      'has a changed byte',
      (file) => {
        const bytes = readFileSync(file);
        bytes[bytes.length - 20] = (bytes.at(-20) ?? 0) ^ 1;
        writeFileSync(file, bytes);
      },
      /is damaged \(\d+ bytes\): run `npm run data`/,
    ],
    [
      'is a data file of another kind',
      async (file) => {
        rmSync(file);
        await writeChecksummedFile(file, { ...kind, applicationId: 1 }, () => ({}));
      },
      /is not a text of Lectern: run `npm run data`/,
    ],
    [
      'belongs to another translation',
      (file) => copyFileSync(file.replace('/b/', '/a/'), file),
      /is of the translation a, not of b: run `npm run data`/,
    ],
    [
      'has an older format',
      (file) => {
        const db = new Database(file);
        db.exec("UPDATE manifest SET value = '0' WHERE key = 'formatVersion'");
        db.close();
        storeChecksum(file);
      },
      /has format 0, this version of Lectern reads 1: run `npm run data`/,
    ],
  ];

/** Changes bytes of the header, so that the file is unusable but keeps its size. */
export function damageHeader(file: string): void {
  const bytes = readFileSync(file);
  bytes.fill(0, 0, 100);
  writeFileSync(file, bytes);
}
