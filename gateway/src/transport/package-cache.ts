import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutageReporter, type Logger, type OfflinePackagePath, type OpenedPackage } from '@lectern/serving';
import type { UpstreamFile, UpstreamFiles } from './upstream-files';

interface DownloadedPackagesOptions {
  folder: string;
  /** The maximum total size of the packages in the folder, in bytes. */
  maxBytes: number;
  upstream: Pick<UpstreamFiles, 'fetch'>;
  log: Logger;
}

/** How long downloads to the folder pause after an error of the folder, in milliseconds. */
const pauseMs = 60_000;

/**
 * Opens the cache of downloaded packages. Each package is downloaded once. Before each use, a request to the subgraph
 * checks whether the package still exists.
 */
export function createDownloadedPackages({ folder, maxBytes, upstream, log }: DownloadedPackagesOptions) {
  const packages = createPackageFolder(folder, maxBytes);
  const outage = createOutageReporter(
    log,
    {
      began: 'offline packages cannot be kept in the folder: each download is slow and takes them from the subgraph',
      ended: 'offline packages are kept in the folder again',
    },
    { folder },
  );
  let pausedUntil = 0;
  const onFolderError = (error: unknown): 'not-kept' => {
    pausedUntil = performance.now() + pauseMs;
    outage.begin(error);
    return 'not-kept';
  };

  /**
   * Downloads a package to the folder. Resolves with `not-kept` if the package is larger than the maximum, or if the
   * folder cannot be written.
   */
  async function download(name: string, path: string, sha256: string) {
    if (performance.now() < pausedUntil) return 'not-kept';
    const response = await upstream.fetch(path, 'GET');
    if (response?.statusCode !== 200) {
      await response?.body.dump();
      return response?.statusCode === 404 ? 'not-found' : 'unavailable';
    }
    const sizeBytes = sizeOf(response);
    if (!(sizeBytes <= maxBytes)) {
      response.body.on('error', () => undefined).destroy();
      return 'not-kept';
    }
    try {
      const isComplete = await packages.write(name, { sha256, sizeBytes, parts: response.body });
      outage.end();
      if (!isComplete) log.warn({ path }, 'a replica sent an offline package that is incomplete or damaged');
      return isComplete ? 'kept' : 'unavailable';
    } catch (error) {
      return onFolderError(error);
    }
  }

  const downloads = new Map<string, ReturnType<typeof download>>();
  function downloadOnce(name: string, path: string, sha256: string) {
    const downloading = downloads.get(name) ?? download(name, path, sha256).finally(() => downloads.delete(name));
    downloads.set(name, downloading);
    return downloading;
  }

  /** Resolves with the state of a stored package. If no replica responds, the package counts as `current`. */
  async function stateOf(file: FileHandle, path: string): Promise<'current' | 'removed' | 'damaged'> {
    const response = await upstream.fetch(path, 'HEAD');
    await response?.body.dump();
    if (response?.statusCode === 404) return 'removed';
    return response?.statusCode === 200 && sizeOf(response) !== (await file.stat()).size ? 'damaged' : 'current';
  }

  return {
    prepare: (): Promise<unknown> => packages.prepare().catch(onFolderError),

    /**
     * Opens a package, and downloads it first if necessary. Resolves with `not-kept` if the caller must forward the
     * request instead.
     */
    async open(
      path: string,
      { identifier, schemaVersion, sha256 }: OfflinePackagePath,
    ): Promise<OpenedPackage | 'not-kept'> {
      const name = `${identifier}-v${schemaVersion}-${sha256}.sqlite.gz`;
      const kept = await packages.open(name);
      if (kept) {
        const state = await stateOf(kept, path);
        if (state === 'current') return { file: kept, sha256 };
        await kept.close();
        await packages.remove(name).catch(onFolderError);
        if (state === 'removed') return 'not-found';
      }
      const outcome = await downloadOnce(name, path, sha256);
      if (outcome !== 'kept') return outcome;
      const file = await packages.open(name);
      return file ? { file, sha256 } : 'not-kept';
    },
  };
}

const sizeOf = ({ headers }: UpstreamFile): number => Number(headers['content-length']);

interface NewPackage {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly parts: AsyncIterable<Buffer>;
}

/** Matches the names of stored and half-written packages. Other files in the folder are never deleted. */
const fileName = /^[a-z0-9-]+-v\d+-[0-9a-f]{64}\.sqlite\.gz(\.[0-9a-f-]{36}\.part)?$/;
/**
 * The age in milliseconds at which an unfinished file is deleted: the process that wrote the file has probably ended.
 */
const abandonedMs = 120_000;

/**
 * Opens the folder of packages. Each use sets a file's modification time, so that all processes delete the least
 * recently used file.
 */
function createPackageFolder(folder: string, maxBytes: number) {
  const remove = (name: string): Promise<void> => rm(join(folder, name), { force: true });

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

  /** Writes the parts to the file. Resolves with whether the parts have the size and the digest of the package. */
  async function writeParts(file: FileHandle, { sha256, sizeBytes, parts }: NewPackage): Promise<boolean> {
    // The file gets its final size before the download, so that other processes count all its bytes in the folder's
    // size.
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
    // Writes the data to disk before the rename. Otherwise a power failure could leave an incomplete file under the
    // final name.
    await file.sync();
    return digest.digest('hex') === sha256;
  }

  return {
    /** Creates the folder if necessary. Rejects if the folder cannot be used. */
    async prepare(): Promise<void> {
      await mkdir(folder, { recursive: true });
      await trim();
    },

    /** Opens a stored package. Resolves with null if the folder does not have the package. */
    async open(name: string): Promise<FileHandle | null> {
      const file = await open(join(folder, name)).catch(() => null);
      const now = new Date();
      // An error of `utimes` is ignored: packages can be read even if the folder is now read-only.
      await file?.utimes(now, now).catch(() => undefined);
      return file;
    },

    /**
     * Writes a package under a temporary name, and renames the file if its digest is right. Resolves with false if the
     * parts ended early or have another digest. Rejects if the folder cannot be written.
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

/** Yields the parts, and ends at an error instead of throwing. The caller then finds that the digest differs. */
async function* untilBroken(parts: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  try {
    yield* parts;
  } catch {}
}

/** `usedAt` is the time at which a file was last written or used, in milliseconds since 1970. */
async function listFiles(folder: string) {
  const names = (await readdir(folder)).filter((name) => fileName.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      // Another process may have deleted the file.
      const file = await stat(join(folder, name)).catch(() => null);
      return file ? [{ name, size: file.size, usedAt: file.mtimeMs }] : [];
    }),
  );
  return files.flat();
}
