import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failure } from '../command-line.mjs';

const lockFile = '.publishing';
const maxLockWaitMs = 10_000;

export const versionOf = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');

/**
 * Opens a folder on a disk that all publishers and gateways share.
 *
 * @param {string} folder
 * @returns {import('./open-registry.mjs').FileStore}
 */
export function openFolderStore(folder) {
  return {
    name: folder,
    read: async (file) => readFile(join(folder, file)),
    async write(files) {
      mkdirSync(folder, { recursive: true });
      const release = await lock(join(folder, lockFile));
      try {
        if (files.some(({ file, version }) => isChanged(join(folder, file), version))) return false;
        for (const { file, text } of files) replaceFile(join(folder, file), text);
        return true;
      } finally {
        release();
      }
    },
  };
}

/**
 * Reads a file and its version. Returns null if the file does not exist.
 * @param {string} path
 */
export function readFile(path) {
  if (!existsSync(path)) return null;
  const text = readFileSync(path, 'utf8');
  return { text, version: versionOf(text) };
}

/**
 * Returns whether a file has another version than `version`. Null means that no file was there.
 * `undefined` means that any version may be replaced.
 * @param {string} path @param {string | null | undefined} version
 */
export const isChanged = (path, version) => version !== undefined && (readFile(path)?.version ?? null) !== version;

/**
 * Writes a file under a temporary name and renames it, so that no reader sees a part of the text.
 * @param {string} path @param {string} text
 */
export function replaceFile(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}

/** Creates the lock file, which only one process can. Returns the function that removes it. */
async function lock(path) {
  const deadline = Date.now() + maxLockWaitMs;
  for (;;) {
    try {
      writeFileSync(path, `process ${process.pid}\n`, { flag: 'wx' });
      return () => rmSync(path, { force: true });
    } catch (error) {
      if (error.code !== 'EEXIST') throw failure(`${path} cannot be written (${error.code}).`);
    }
    if (Date.now() > deadline)
      throw failure(
        `${path} has existed for 10 seconds: somebody publishes, or was interrupted. If nobody publishes, remove it.`,
      );
    await sleep(50);
  }
}
