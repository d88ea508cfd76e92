import { formatBytes } from './format-bytes';

/**
 * An expected failure of offline packages. The message says what happened and what the user can do.
 * An error that the web worker sends to the page keeps its name and message, but is no instance of
 * this class: use `isOfflineError` instead of `instanceof`.
 */
export class OfflineError extends Error {
  override readonly name = 'OfflineError';
}

const error = (message: string, cause?: unknown): OfflineError => new OfflineError(message, { cause });

export const offlineErrors = {
  /** The browser lacks an API that offline packages need. `missing` is the name of the API. */
  unsupported: (missing: string) =>
    error(`This browser cannot store translations: it has no ${missing}. A current version of any browser can.`),
  /**
   * The page was opened without HTTPS. Then browsers provide no digests (`crypto.subtle`) and no
   * `navigator.storage`, except on localhost.
   */
  insecurePage: () =>
    error('Translations can be stored only when the reader is opened with https:// or on this computer (localhost).'),
  storageFull: (sizeBytes: number, cause: unknown) =>
    error(
      `There is no room for this translation: it needs ${formatBytes(sizeBytes)}. Remove another translation or free some space on this device, then try again.`,
      cause,
    ),
  storageUnavailable: (cause: unknown) =>
    error(
      'The browser does not let this page store anything. Private windows and settings for cookies can cause this.',
      cause,
    ),
  connectionLost: (receivedBytes: number, sizeBytes: number, cause?: unknown) =>
    error(
      `The connection was lost after ${formatBytes(receivedBytes)} of ${formatBytes(sizeBytes)}. Continue when you are connected again: the received part is not downloaded again.`,
      cause,
    ),
  unreachable: (url: string, cause: unknown) =>
    error(`The file cannot be downloaded: ${new URL(url).host} does not respond. Try again later.`, cause),
  tooManyDownloads: (seconds: string | null) =>
    error(`There were too many downloads from your network. Try again ${seconds ? `in ${seconds} seconds` : 'later'}.`),
  packageReplaced: () => error('This package is not offered any more. Reload this page to see the new one.'),
  unexpectedStatus: (status: number) =>
    error(`The service answered with status ${status} in place of the file. Try again later.`),
  wrongDigest: () =>
    error(
      'The downloaded file is not the one that the service announced, so nothing was stored. Try again. If it happens again, a proxy between you and the service may change downloads.',
    ),
  notStored: (identifier: string) => error(`The translation ${identifier} is not stored on this device.`),
  readerNotLoaded: (cause: unknown) =>
    error(
      'The part of the reader that opens stored translations could not be loaded. Reload the page when you are connected.',
      cause,
    ),
  damagedFile: (name: string, cause?: unknown) =>
    error(
      `The stored file of “${name}” is damaged. Remove the translation under Downloads, and download it again.`,
      cause,
    ),
  newerSchema: (name: string, version: number, maxVersion: number) =>
    error(
      `The stored file of “${name}” has version ${version}, and this reader understands versions up to ${maxVersion}. Reload the page with a connection to get the newest reader.`,
    ),
  noChapter: (name: string, place: string) => error(`“${name}” has no chapter ${place}.`),
};

/** Returns whether an error is an `OfflineError`, also if the web worker has sent the error. */
export const isOfflineError = (caught: unknown): caught is Error =>
  caught instanceof Error && caught.name === 'OfflineError';
