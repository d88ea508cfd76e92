import { DeadlineError, InvalidResponseError, LecternError, NetworkError } from '@lectern/client';
import type { Api, Chapter } from '../api';
import { alignByNumber } from '../parallel';
import type { ConnectionState } from './connection-state';
import type { OfflineLibrary } from './offline-library';
import { isPackageCursor } from './search-package';

/**
 * True for the error of a request that did not reach the service. The response may be invalid
 * because the sign-in page of a Wi-Fi network answered instead of the service.
 */
const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof DeadlineError || error instanceof InvalidResponseError;

/**
 * True if the service rejects requests only for a while: after too many requests, or while it is
 * not ready.
 */
const isBusy = (error: unknown): boolean =>
  error instanceof LecternError && (error.status === 429 || error.status === 503);

export interface Sources {
  readonly api: Api;
  /**
   * The same API without retries and with a short deadline, for requests that a stored package can
   * answer instead.
   */
  readonly quickApi: Api;
  readonly library: OfflineLibrary;
  readonly connection: ConnectionState;
}

/**
 * Returns an API that reads translations, books and chapters from the stored packages, and searches
 * them for words, while the service cannot be reached or rejects requests for a while. All other
 * requests still fail. `tryConnection` checks whether the service can be reached.
 */
export function withOfflinePackages({ api, quickApi, library, connection }: Sources) {
  async function reported<Value>(response: Promise<Value>): Promise<Value> {
    try {
      const value = await response;
      connection.reportSuccess();
      return value;
    } catch (error) {
      if (isUnreachable(error)) connection.reportFailure();
      else if (error instanceof LecternError) connection.reportSuccess();
      throw error;
    }
  }

  async function read<Value>(
    isStored: boolean,
    fromService: (api: Api) => Promise<Value>,
    fromPackage: () => Promise<Value>,
  ): Promise<Value> {
    if (!isStored) return reported(fromService(api));
    if (connection.isLost()) return fromPackage();
    try {
      return await reported(fromService(quickApi));
    } catch (error) {
      if (!isUnreachable(error) && !isBusy(error)) throw error;
      return fromPackage();
    }
  }

  const isStored = async (translation: string): Promise<boolean> =>
    (await library.translations()).some(({ identifier }) => identifier === translation);

  /** Returns the verses of a chapter of a stored package. [] if it has no such chapter. */
  async function versesOf(translation: string, book: string, chapter: number): Promise<Chapter['verses']> {
    const books = await library.read((reader) => reader.books(translation));
    const chapters = books.find(({ bookId }) => bookId === book)?.chapters ?? [];
    if (!chapters.some(({ number }) => number === chapter)) return [];
    return (await library.read((reader) => reader.chapter(translation, book, chapter))).verses;
  }

  const offlineApi: Api = {
    ...api,
    async translations(signal) {
      const stored = await library.translations();
      return read(
        stored.length > 0,
        ({ translations }) => translations(signal),
        async () => stored,
      );
    },
    books: async (translation, signal) =>
      read(
        await isStored(translation),
        ({ books }) => books(translation, signal),
        () => library.read((reader) => reader.books(translation)),
      ),
    chapter: async (translation, book, number, signal) =>
      read(
        await isStored(translation),
        ({ chapter }) => chapter(translation, book, number, signal),
        () => library.read((reader) => reader.chapter(translation, book, number)),
      ),
    parallel: async ({ translation, beside, book, chapter }, signal) =>
      read(
        (await isStored(translation)) && (await isStored(beside)),
        ({ parallel }) => parallel({ translation, beside, book, chapter }, signal),
        async () => alignByNumber([await versesOf(translation, book, chapter), await versesOf(beside, book, chapter)]),
      ),
    async search(request, signal) {
      const { translation, query, mode, after } = request;
      const fromPackage = () => library.read((reader) => reader.search(translation, { query, first: 20, after }));
      // All pages of a list have the same source, because the service and the package sort verses
      // differently.
      if (isPackageCursor(after)) return fromPackage();
      // Packages have no vectors, so they cannot be searched by meaning.
      const canFallBack = mode !== 'MEANING' && after === undefined && (await isStored(translation));
      return read(canFallBack, ({ search }) => search(request, signal), fromPackage);
    },
  };

  const tryConnection = (): void =>
    void reported(quickApi.translations(new AbortController().signal)).catch(() => undefined);
  return { api: offlineApi, tryConnection };
}
