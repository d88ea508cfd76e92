import { errorMessage, type Logger } from '@lectern/serving';
import type { FoundText, TextSource } from '../shared/text-sources';
import type { CheckedGraph, InvalidDocument, TrustedDocument } from './manifest';
import { checkDocuments, hashQuery, parseManifest, quote } from './manifest';

export interface TrustedDocumentsState {
  readonly documents: number;
  /** Why the newest manifest is rejected while an older manifest stays in use. Null if the newest is in use. */
  readonly rejected: string | null;
  /** The names of documents that the current supergraph rejects. Requests for them fail. */
  readonly invalid: readonly string[];
}

export interface TrustedDocumentsOptions {
  source: TextSource;
  /** The interval at which the manifest is read again, in milliseconds. 0 means never. */
  pollMs: number;
  /** Calls `use` with the current graph, and keeps the graph open until `use` is done. */
  withGraph: <T>(use: (graph: CheckedGraph) => Promise<T>) => Promise<T>;
  log: Logger;
}

interface Manifest {
  readonly version: string;
  readonly documents: readonly TrustedDocument[];
  /** Maps the id of each trusted document, and the SHA-256 hash of its query, to the query. */
  readonly queries: ReadonlyMap<string, string>;
  readonly texts: ReadonlySet<string>;
}

interface Rejection {
  readonly reason: string;
  /** The version of the rejected manifest. Null if the manifest could not be read, or has to be checked again. */
  readonly version: string | null;
}

const maxLoggedDocuments = 20;

/**
 * Opens the documents and watches their manifest. A newer invalid manifest is logged once, and changes nothing. Rejects
 * if the first is invalid.
 */
export async function openTrustedDocuments({ source, pollMs, withGraph, log }: TrustedDocumentsOptions) {
  const open = async ({ text, version }: FoundText): Promise<Manifest> => {
    const documents = parseManifest(text);
    const invalid = await withGraph((graph) => checkDocuments(graph, documents));
    if (invalid.length > 0) throw new Error(describeInvalid(invalid));
    const queries = new Map(
      documents.flatMap(({ id, query }) => [
        [hashQuery(query), query],
        [id, query],
      ]),
    );
    return { version, documents, queries, texts: new Set(queries.values()) };
  };

  const readFirst = async (): Promise<Manifest> => {
    const first = await source.read(null);
    if (!first) throw new Error(`${source.name} holds no manifest.`);
    return open(first).catch((error: unknown) => {
      throw new Error(`${source.name}: ${errorMessage(error)}`, { cause: error });
    });
  };

  let current = await readFirst();
  let rejection: Rejection | null = null;
  let invalid: readonly InvalidDocument[] = [];
  let closed = false;
  let lastWork: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  /** Runs the work after all earlier work, so that the last check uses the newest manifest and supergraph. */
  const inOrder = (work: () => Promise<void>): Promise<void> => (lastWork = lastWork.then(work));

  const readNewest = async (): Promise<void> => {
    let version: string | null = null;
    try {
      const found = await source.read(rejection?.version ?? current.version);
      if (found) {
        ({ version } = found);
        current = await open(found);
        invalid = [];
        log.info({ source: source.name, documents: current.documents.length }, 'new trusted documents are used');
      }
      // If the source still has the rejected version, `found` is null and the manifest stays rejected.
      if (found || rejection?.version === null) rejection = null;
    } catch (error) {
      reject({ reason: errorMessage(error), version });
    }
  };

  const schedulePoll = (): void => {
    if (!closed && pollMs > 0) timer = setTimeout(() => void inOrder(readNewest).then(schedulePoll), pollMs).unref();
  };

  /** Logs the reason of a rejection once, even if the same manifest is rejected at each poll. */
  const reject = (newest: Rejection): void => {
    const { reason } = newest;
    const isReported = rejection?.reason === reason;
    rejection = newest;
    if (!isReported)
      log.error({ source: source.name, reason }, 'the new trusted documents are rejected: the old ones are still used');
  };

  schedulePoll();

  return {
    /** Returns the query of a trusted document, or null. `id` may also be the SHA-256 hash of the query. */
    find: (id: string): string | null => current.queries.get(id) ?? null,
    has: (query: string): boolean => current.texts.has(query),
    all: (): readonly TrustedDocument[] => current.documents,
    recheck: (): Promise<void> =>
      inOrder(async () => {
        invalid = await withGraph((graph) => checkDocuments(graph, current.documents));
        // The new supergraph may accept the rejected manifest: without its version, `readNewest` checks it again.
        if (rejection) rejection = { ...rejection, version: null };
        if (invalid.length > 0)
          log.warn(
            { source: source.name, documents: invalid.slice(0, maxLoggedDocuments) },
            'the new supergraph rejects trusted documents: requests for them fail',
          );
      }),
    state: (): TrustedDocumentsState => ({
      documents: current.documents.length,
      rejected: rejection?.reason ?? null,
      invalid: invalid.map(({ name }) => name),
    }),
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}

export type TrustedDocuments = Awaited<ReturnType<typeof openTrustedDocuments>>;

function describeInvalid(invalid: readonly InvalidDocument[]): string {
  const [first] = invalid;
  const more = invalid.length - 1;
  return `The operation ${quote(first?.name ?? '')} is rejected: ${first?.reason ?? ''}${more > 0 ? `, and ${more} more` : ''} (check the manifest with: npm run documents -- check FILE)`;
}
