import { DeadlineError, InvalidResponseError, NetworkError } from '@lectern/client';
import type { Api } from '../api';
import type { Connection } from './connection';
import type { OfflineLibrary } from './offline-library';
import { isPackageCursor } from './search-package';

/** The errors of a request that did not reach the service. A sign-in page of a network is an invalid response. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof DeadlineError || error instanceof InvalidResponseError;

/**
 * Returns an API that reads translations, books, chapters and searches for words from the stored packages while the
 * service cannot be reached. What no package has fails as before.
 */
export function withOfflinePackages(api: Api, library: OfflineLibrary, connection: Connection): Api {
  async function fallBack<Value>(
    fromService: () => Promise<Value>,
    hasStored: () => Promise<boolean>,
    fromPackage: () => Promise<Value>,
  ): Promise<Value> {
    if (!connection.isWorthTrying() && (await hasStored())) return fromPackage();
    try {
      const value = await fromService();
      connection.reportSuccess();
      return value;
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      connection.reportFailure();
      if (!(await hasStored())) throw error;
      return fromPackage();
    }
  }

  const isStored = (translation: string) => async () =>
    (await library.translations()).some(({ identifier }) => identifier === translation);

  return {
    ...api,
    translations: (signal) =>
      fallBack(
        () => api.translations(signal),
        async () => (await library.translations()).length > 0,
        () => library.translations(),
      ),
    books: (translation, signal) =>
      fallBack(
        () => api.books(translation, signal),
        isStored(translation),
        () => library.read().books(translation),
      ),
    chapter: (translation, book, chapter, signal) =>
      fallBack(
        () => api.chapter(translation, book, chapter, signal),
        isStored(translation),
        () => library.read().chapter(translation, book, chapter),
      ),
    search(request, signal) {
      const { translation, query, mode, after } = request;
      const fromPackage = () => library.read().search(translation, { query, first: 20, after });
      // A list goes on where it began, because the service and the package sort verses in different orders.
      if (isPackageCursor(after)) return fromPackage();
      // Packages have no vectors, so they cannot be searched by meaning.
      const hasStored = async () => mode !== 'MEANING' && after === undefined && isStored(translation)();
      return fallBack(() => api.search(request, signal), hasStored, fromPackage);
    },
  };
}
