import type { OfferedPackage } from './offered-packages';
import { OfflineError, offlineErrors } from './offline-error-messages';
import type { PackageFile } from './package-store';
import { sha256Of } from './sha256';

/** A download is cancelled if no bytes arrive for this time, in milliseconds. */
const maxSilenceMs = 30_000;

export interface DownloadOptions {
  /** Aborting this signal cancels the download and drops the received bytes. */
  signal: AbortSignal;
  onProgress: (receivedBytes: number) => void;
}

/** The bytes of a package that have been received so far. */
interface Part {
  chunks: Uint8Array<ArrayBuffer>[];
  bytes: number;
}

/**
 * Creates the function that downloads a package and compares its digest. If the connection is lost,
 * the received bytes stay in memory, and the next download of the same package continues after
 * them. The API key is not sent, because packages are public.
 */
export function createPackageDownloads() {
  const parts = new Map<string, Part>();

  /**
   * Downloads a package. Rejects with an `OfflineError`, or with the reason of the aborted signal.
   */
  async function download(offer: OfferedPackage, { signal, onProgress }: DownloadOptions): Promise<PackageFile> {
    const part = parts.get(offer.sha256) ?? { chunks: [], bytes: 0 };
    try {
      if (part.bytes < offer.sizeBytes) await receive(offer, part, { signal, onProgress });
    } catch (error) {
      parts.delete(offer.sha256);
      signal.throwIfAborted();
      if (error instanceof OfflineError) throw error;
      if (part.bytes === 0) throw offlineErrors.unreachable(offer.url, error);
      parts.set(offer.sha256, part);
      throw offlineErrors.connectionLost(part.bytes, offer.sizeBytes, error);
    }
    parts.delete(offer.sha256);
    const file = await new Blob(part.chunks).arrayBuffer();
    if ((await sha256Of(file)) !== offer.sha256) throw offlineErrors.wrongDigest();
    signal.throwIfAborted();
    return file;
  }

  return {
    download,
    /** Returns how many bytes of a package had arrived when the connection was lost. */
    receivedBytes: (sha256: string): number => parts.get(sha256)?.bytes ?? 0,
  };
}

/**
 * Appends the missing bytes to `part`, or replaces its bytes if the server sends the whole file.
 * Throws an `OfflineError`, or another error if the connection was lost.
 */
async function receive(offer: OfferedPackage, part: Part, { signal, onProgress }: DownloadOptions): Promise<void> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  signal.addEventListener('abort', abort);
  let timer = setTimeout(abort, maxSilenceMs);
  try {
    const response = await request(offer, part, controller.signal);
    if (response.status === 200) Object.assign(part, { chunks: [], bytes: 0 });
    for (const reader = bodyOf(response).getReader(); ; ) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) break;
      timer = setTimeout(abort, maxSilenceMs);
      part.chunks.push(value);
      part.bytes += value.length;
      if (part.bytes > offer.sizeBytes) throw offlineErrors.wrongDigest();
      onProgress(part.bytes);
    }
    if (part.bytes < offer.sizeBytes) throw new Error('The body is shorter than the package.');
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    controller.abort();
  }
}

/** Requests the file, or the part of it that has not arrived. */
async function request({ url, sha256 }: OfferedPackage, { bytes }: Part, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, {
    headers: bytes > 0 ? { Range: `bytes=${bytes}-`, 'If-Range': `"${sha256}"` } : {},
    signal,
    // This app stores the package, so the browser's cache does not need a second copy.
    cache: 'no-store',
    credentials: 'omit',
  });
  checkStatus(response);
  return response;
}

function bodyOf({ body }: Response): NonNullable<Response['body']> {
  if (body === null) throw new Error('The response has no body.');
  return body;
}

function checkStatus({ status, headers }: Response): void {
  if (status === 200 || status === 206) return;
  if (status === 404 || status === 410) throw offlineErrors.packageReplaced();
  if (status === 429) throw offlineErrors.tooManyDownloads(headers.get('Retry-After'));
  throw offlineErrors.unexpectedStatus(status);
}
