import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

export interface PackageFolderOptions {
  folder: string;
  /** The maximum size of all packages in the folder, in bytes. */
  maxBytes: number;
}

export interface NewPackage {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly parts: AsyncIterable<Buffer>;
}

/**
 * The names of packages in the folder, and of files to which packages are being written. Other
 * files are never deleted.
 */
const fileName = /^[a-z0-9-]+-v\d+-[0-9a-f]{64}\.sqlite\.gz(\.[0-9a-f-]{36}\.part)?$/;
/**
 * The time in milliseconds after which an unfinished file to which nothing was written counts as
 * abandoned: the process that wrote the file has probably ended.
 */
const abandonedMs = 120_000;

/**
 * Opens a folder of offline packages (translations as SQLite files). Several processes may share
 * the folder. Each use of a package sets the modification time of its file. So every process can
 * find the least recently used packages, which are deleted first.
 */
export function createPackageFolder({ folder, maxBytes }: PackageFolderOptions) {
  const remove = (name: string): Promise<void> => rm(join(folder, name), { force: true });

  /**
   * Deletes abandoned files, and the least recently used packages until the rest takes at most
   * `maxBytes`.
   */
  async function trim(): Promise<void> {
    const files = (await listFiles(folder)).sort((one, other) => one.usedAt - other.usedAt);
    let bytes = files.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size, usedAt } of files) {
      const isPart = name.endsWith('.part');
      if (isPart ? Date.now() - usedAt < abandonedMs : bytes <= maxBytes) continue;
      await remove(name);
      bytes -= size;
    }
  }

  /**
   * Writes the parts to the file. Resolves with true if they have the size and the digest of the
   * package.
   */
  async function writeParts(file: FileHandle, { sha256, sizeBytes, parts }: NewPackage): Promise<boolean> {
    // The file gets its final size before the download, so that other processes count its bytes in
    // the folder's size.
    await file.truncate(sizeBytes);
    await trim();
    const digest = createHash('sha256');
    let position = 0;
    for await (const part of untilBroken(parts)) {
      if (position + part.length > sizeBytes) return false;
      digest.update(part);
      await file.write(part, 0, part.length, position);
      position += part.length;
    }
    // Writes the data to disk before the rename. Otherwise the renamed file could have gaps after a
    // power failure.
    await file.sync();
    return digest.digest('hex') === sha256;
  }

  return {
    /**
     * Creates the folder, and deletes abandoned files and packages beyond `maxBytes`, which earlier
     * processes left. Rejects if the folder cannot be used.
     */
    async prepare(): Promise<void> {
      await mkdir(folder, { recursive: true });
      await trim();
    },

    /** Opens a package and notes its use. Returns null if the folder does not have it. */
    async open(name: string): Promise<FileHandle | null> {
      const file = await open(join(folder, name)).catch(() => null);
      const now = new Date();
      // An error is ignored: in a folder that has become read-only, packages can still be read.
      await file?.utimes(now, now).catch(() => undefined);
      return file;
    },

    /**
     * Writes a package under a temporary name, and renames it if its digest is right. Returns false
     * if the parts broke off or have another digest. Rejects if the folder cannot be written.
     */
    async write(name: string, newPackage: NewPackage): Promise<boolean> {
      const part = `${name}.${randomUUID()}.part`;
      try {
        const file = await open(join(folder, part), 'wx');
        const isComplete = await writeParts(file, newPackage).finally(() => file.close());
        if (isComplete) await rename(join(folder, part), join(folder, name));
        return isComplete;
      } finally {
        await remove(part);
        await trim();
      }
    },

    remove,
  };
}

export type PackageFolder = ReturnType<typeof createPackageFolder>;

/** Yields the parts. If they end with an error, yields those before the error. */
async function* untilBroken(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  try {
    yield* parts;
  } catch {
    // The error is dropped. If parts are missing, the caller finds that the digest differs.
  }
}

interface ListedFile {
  readonly name: string;
  readonly size: number;
  /** When the file was last written or used, in milliseconds since 1970. */
  readonly usedAt: number;
}

/** Lists the packages in the folder, and the files to which packages are being written. */
async function listFiles(folder: string): Promise<ListedFile[]> {
  const names = (await readdir(folder)).filter((name) => fileName.test(name));
  const files = await Promise.all(
    names.map(async (name): Promise<ListedFile[]> => {
      // Another process may have deleted the file.
      const file = await stat(join(folder, name)).catch(() => null);
      return file ? [{ name, size: file.size, usedAt: file.mtimeMs }] : [];
    }),
  );
  return files.flat();
}
