import { type Remote, wrap } from 'comlink';
import type { Translation } from '../api';
import { createPackageDownloads } from './download-package';
import type { OfferedPackage } from './offered-packages';
import { offlineErrors } from './offline-error-messages';
import type { PackageReader } from './package-reader';
import { openPackageStore, type StoredPackage } from './package-store';

/** The stored packages if they have been loaded, or why the browser cannot store any. */
export type Stored =
  | { readonly kind: 'loading' }
  | { readonly kind: 'loaded'; readonly packages: readonly StoredPackage[] }
  | { readonly kind: 'unavailable'; readonly error: unknown };

/** The download of a translation that is in progress, or why the last download failed. */
export type Activity =
  | { readonly kind: 'downloading'; readonly receivedBytes: number; readonly totalBytes: number }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Some browsers open their storage late or never. After this time the reader continues without
 * stored packages.
 */
const maxLoadMs = 3_000;

/**
 * The translations on this device. A page has one library, so that a download continues while the
 * user reads.
 */
export function createOfflineLibrary() {
  const store = openPackageStore();
  const { download, receivedBytes } = createPackageDownloads();
  const activities = new Map<string, Activity>();
  const cancellations = new Map<string, AbortController>();
  const changes = new EventTarget();
  let stored: Stored = { kind: 'loading' };
  let worker: { reader: Remote<PackageReader>; failure: Promise<never> } | undefined;

  const notify = () => changes.dispatchEvent(new Event('change'));
  function setActivity(identifier: string, activity: Activity | null): void {
    if (activity === null) activities.delete(identifier);
    else activities.set(identifier, activity);
    notify();
  }

  async function load(): Promise<void> {
    try {
      requireFeatures();
      stored = { kind: 'loaded', packages: await store.list() };
    } catch (error) {
      stored = { kind: 'unavailable', error };
    }
    notify();
  }
  const firstLoad = load();

  /**
   * Downloads a package and stores it in place of the translation's earlier package. Never rejects:
   * a failure becomes the activity of the translation.
   */
  async function add(translation: Translation, offer: OfferedPackage): Promise<void> {
    const { identifier } = translation;
    if (cancellations.has(identifier)) return;
    const controller = new AbortController();
    cancellations.set(identifier, controller);
    const onProgress = (receivedBytes: number): void =>
      setActivity(identifier, { kind: 'downloading', receivedBytes, totalBytes: offer.sizeBytes });
    onProgress(0);
    // Asks the browser to keep stored packages when the device runs out of space. The browser may
    // decline.
    void navigator.storage.persist();
    try {
      const file = await download(offer, { signal: controller.signal, onProgress });
      await store.put({ translation, offer }, file);
      await load();
      // Loads the SQLite program now, because a stored package must open without a network later.
      await read((reader) => reader.books(identifier));
      setActivity(identifier, null);
    } catch (error) {
      setActivity(identifier, controller.signal.aborted ? null : { kind: 'failed', error });
    } finally {
      cancellations.delete(identifier);
    }
  }

  /** Reads stored packages. The first call starts the web worker. */
  async function read<Value>(use: (reader: Remote<PackageReader>) => Promise<Value>): Promise<Value> {
    worker ??= startWorker();
    return Promise.race([use(worker.reader), worker.failure]);
  }

  return {
    /** Dispatches an event `change` after each change of `stored` and of an activity. */
    changes,
    stored: (): Stored => stored,
    /**
     * Returns the translations with a stored package. [] if the storage cannot be opened in time.
     */
    async translations(): Promise<Translation[]> {
      await Promise.race([firstLoad, new Promise((resolve) => setTimeout(resolve, maxLoadMs))]);
      return stored.kind === 'loaded' ? stored.packages.map(({ translation }) => translation) : [];
    },
    activityOf: (identifier: string): Activity | null => activities.get(identifier) ?? null,
    add,
    /** Whether a download of this package lost its connection and can be continued. */
    canContinue: ({ sha256 }: OfferedPackage): boolean => receivedBytes(sha256) > 0,
    cancel: (identifier: string): void => cancellations.get(identifier)?.abort(),
    async remove(identifier: string): Promise<void> {
      await store.remove(identifier);
      activities.delete(identifier);
      await load();
    },
    read,
  };
}

export type OfflineLibrary = ReturnType<typeof createOfflineLibrary>;

/** Starts the web worker that reads packages. `failure` rejects if its script cannot be loaded. */
function startWorker() {
  const worker = new Worker(new URL('./package-reader-worker.ts', import.meta.url), {
    type: 'module',
    name: 'packages',
  });
  const failure = new Promise<never>((_, reject) => {
    worker.addEventListener('error', ({ message }) => reject(offlineErrors.readerNotLoaded(message)));
  });
  return { reader: wrap<PackageReader>(worker), failure };
}

/** Throws an `OfflineError` if the browser cannot store or open packages. */
function requireFeatures(): void {
  if (!isSecureContext) throw offlineErrors.insecurePage();
  for (const feature of ['indexedDB', 'DecompressionStream', 'WebAssembly', 'Worker'])
    if (!(feature in globalThis)) throw offlineErrors.unsupported(feature);
}
