import type { FileHandle } from 'node:fs/promises';
import type { Logger, OfflinePackagePath, OpenedPackage } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import { createPackageFolder } from './offline-packages';
import type { UpstreamFile, UpstreamFiles } from './upstream-files';

export interface DownloadedPackagesOptions {
  folder: string;
  /** The maximum size of all packages in the folder, in bytes. */
  maxBytes: number;
  upstream: Pick<UpstreamFiles, 'fetch'>;
  log: Logger;
}

/** How long nothing is downloaded to the folder after an error of the folder, in milliseconds. */
const pauseMs = 60_000;

/**
 * Stores in a folder the offline packages (translations as SQLite files) that clients download. A
 * package is downloaded from a subgraph once, however many clients wait for the package. Before a
 * stored package is sent, the subgraph is asked whether the package still exists.
 */
export function createDownloadedPackages({ folder, maxBytes, upstream, log }: DownloadedPackagesOptions) {
  const packages = createPackageFolder({ folder, maxBytes });
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
   * Downloads a package to the folder. `not-kept`: the package is larger than the folder may be, or
   * the folder cannot be written.
   */
  async function download(name: string, path: string, sha256: string) {
    if (performance.now() < pausedUntil) return 'not-kept';
    const response = await upstream.fetch(path, { method: 'GET' });
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

  /**
   * Asks the subgraph for the state of a package in the folder. If no replica responds, the package
   * is `current`.
   */
  async function stateOf(file: FileHandle, path: string): Promise<'current' | 'removed' | 'damaged'> {
    const response = await upstream.fetch(path, { method: 'HEAD' });
    await response?.body.dump();
    if (response?.statusCode === 404) return 'removed';
    return response?.statusCode === 200 && sizeOf(response) !== (await file.stat()).size ? 'damaged' : 'current';
  }

  return {
    /** Creates the folder, and deletes abandoned files and packages beyond `maxBytes`. */
    prepare: (): Promise<unknown> => packages.prepare().catch(onFolderError),

    /**
     * Opens a package, and downloads it before if necessary. `not-kept`: the caller has to forward
     * the request.
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
