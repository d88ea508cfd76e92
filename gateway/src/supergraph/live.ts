import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, type Logger } from '@lectern/serving';
import { findBreakingChanges, type GraphQLSchema } from 'graphql';
import type { FoundText, TextSource } from '../shared/sources';

/** The members of a graph that replacing a supergraph needs. `graph.ts` describes them. */
interface ServedGraph {
  readonly schema: GraphQLSchema;
  readonly subgraphs: ReadonlyMap<string, string>;
  isSubgraphAvailable(subgraph: string): Promise<boolean>;
  probed(): Promise<void>;
  close(): Promise<void>;
}

interface LiveSupergraphOptions<Graph extends ServedGraph> {
  source: TextSource;
  /** The copy on disk. Null for a file, which is on disk already. */
  copy: SupergraphCopy | null;
  /** Opens a graph that is ready to serve. Rejects with the reason if the supergraph is invalid. */
  open: (sdl: string) => Promise<Graph>;
  /** The graph until the first supergraph is served. It rejects every request. */
  placeholder: Graph;
  /** The interval at which the source is read again, in milliseconds. 0 means never. */
  pollMs: number;
  log: Logger;
  onSwap?: (outcome: 'served' | 'rejected') => void;
}

/** A graph with the number of its requests in flight. */
export interface Lease<Graph extends ServedGraph> {
  readonly graph: Graph;
  inFlight: number;
  /** Whether another graph has replaced this graph. */
  retired: boolean;
}

/**
 * The state of the supergraph, for operators. The digest and the time are null if none is served.
 */
export interface SupergraphState {
  /** The file or URL that was read. */
  readonly source: string;
  /** The first digits of the SHA-256 of the supergraph that is served. */
  readonly sha256: string | null;
  /** ISO 8601. */
  readonly servedSince: string | null;
  /** Whether the copy on disk is served, because the source could not be used at the start. */
  readonly isCopy: boolean;
  /** Why the newest supergraph is not served. Null if it is served. */
  readonly rejected: string | null;
}

interface Served {
  readonly text: string;
  /** Null for the copy on disk. */
  readonly version: string | null;
  readonly modifiedAt: number | null;
  readonly since: Date;
}

const shortDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Serves the graph of the newest valid supergraph.
 *
 * A new graph is opened beside the current graph and replaces it in one step. Requests in flight
 * finish on the graph on which they began, which is then closed with its plans and caches. An
 * invalid supergraph changes nothing and is reported once.
 *
 * If the first supergraph at a URL is invalid or cannot be read, the copy on disk is served.
 * Without a valid copy, the placeholder is served. In both cases the URL is read again after
 * `pollMs`. Rejects if the first supergraph in a file is invalid or cannot be read. Also rejects if
 * there is no supergraph to serve and `pollMs` is 0.
 */
export async function createLiveSupergraph<Graph extends ServedGraph>(options: LiveSupergraphOptions<Graph>) {
  const { source, copy, open, placeholder, pollMs, log, onSwap } = options;
  let current: Lease<Graph> = { graph: placeholder, inFlight: 0, retired: false };
  let served: Served | null = null;
  let closed = false;
  /** Why the newest supergraph is rejected or could not be read. Null while it is served. */
  let rejection: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let resolveProbed: () => void;
  const probed = new Promise<void>((resolve) => (resolveProbed = resolve));

  const swapTo = async (text: string, found: Pick<Served, 'version' | 'modifiedAt'>): Promise<void> => {
    const graph = await open(text);
    if (served)
      await requireNewSubgraphs(current.graph, graph).catch(async (error: unknown) => {
        await graph.close();
        throw error;
      });
    if (closed) return graph.close();
    const [old, oldServed] = [current, served];
    served = { ...found, text, since: new Date() };
    current = { graph, inFlight: 0, retired: false };
    old.retired = true;
    closeIfUnused(old);
    if (!oldServed) return void graph.probed().then(resolveProbed);
    log.info({ source: source.name, subgraphs: [...graph.subgraphs.keys()] }, 'a new supergraph is served');
    const lost = findBreaking(old.graph, graph);
    if (lost)
      log.warn({ source: source.name, ...lost }, 'the new supergraph lacks parts of the old one: operations may fail');
    onSwap?.('served');
    return undefined;
  };

  const serve = async ({ text, version, modifiedAt }: FoundText): Promise<void> => {
    if (served?.text === text) served = { ...served, version, modifiedAt: served.modifiedAt ?? modifiedAt };
    else {
      requireNotOlder(served?.modifiedAt ?? null, modifiedAt);
      await swapTo(text, { version, modifiedAt });
    }
    rejection = null;
    await copy?.write(text);
  };

  const poll = async (): Promise<void> => {
    try {
      const found = await source.read(served?.version ?? null);
      const isFirst = served === null;
      if (found) await serve(found);
      if (isFirst && served) {
        log.info({ source: source.name }, 'the gateway has its first supergraph');
        onSwap?.('served');
      }
      rejection = null;
    } catch (error) {
      reject(errorMessage(error));
    }
    schedulePoll();
  };

  /** Logs a reason once, however often the source is read with the same result. */
  const reject = (reason: string): void => {
    if (reason === rejection) return;
    rejection = reason;
    log.error(
      { source: source.name, reason },
      served
        ? 'the new supergraph is rejected: the old one is still served'
        : 'the gateway has no supergraph: requests are rejected with SUPERGRAPH_UNAVAILABLE',
    );
    onSwap?.('rejected');
  };

  const schedulePoll = (): void => {
    if (!closed && pollMs > 0) timer = setTimeout(() => void poll(), pollMs).unref();
  };

  const closeIfUnused = (lease: Lease<Graph>): void => {
    if (lease.retired && lease.inFlight === 0)
      lease.graph.close().catch((error: unknown) => log.warn({ err: error }, 'an old graph did not close'));
  };

  const serveCopy = async (reason: string): Promise<void> => {
    const text = (await copy?.read()) ?? null;
    if (text === null) return;
    try {
      await swapTo(text, { version: null, modifiedAt: null });
      log.warn({ source: source.name, reason, file: copy?.file }, 'the copy of the last supergraph is served');
    } catch (error) {
      log.warn({ file: copy?.file, reason: errorMessage(error) }, 'the copy of the last supergraph is invalid');
    }
  };

  try {
    const first = await source.read(null);
    if (!first) throw new Error(`${source.name} holds no supergraph.`);
    await serve(first);
  } catch (error) {
    if (!source.isUrl) throw error;
    const reason = errorMessage(error);
    await serveCopy(reason);
    if (!served && pollMs === 0) throw error;
    reject(reason);
  }
  schedulePoll();

  return {
    /** The placeholder while no supergraph is served. */
    current: (): Graph => current.graph,
    isServing: (): boolean => served !== null,
    isRejecting: (): boolean => rejection !== null,
    state: (): SupergraphState => ({
      source: source.name,
      sha256: served && shortDigest(served.text),
      servedSince: served && served.since.toISOString(),
      isCopy: served !== null && served.version === null,
      rejected: rejection,
    }),
    /** Resolves when the subgraphs of the first supergraph have responded to a probe or failed. */
    probed,
    /** Returns the current graph and keeps it open until `release`. */
    acquire(): Lease<Graph> {
      current.inFlight += 1;
      return current;
    },
    release(lease: Lease<Graph>): void {
      lease.inFlight -= 1;
      closeIfUnused(lease);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await current.graph.close();
    },
  };
}

/**
 * Throws if the Last-Modified of a response is earlier than that of the supergraph that is served.
 * Then a cache between the registry and the gateway has sent an old response. After a rollback
 * Last-Modified is later, because the earlier supergraph was published again.
 */
function requireNotOlder(servedAt: number | null, foundAt: number | null): void {
  if (servedAt === null || foundAt === null || foundAt >= servedAt) return;
  const [served, found] = [servedAt, foundAt].map((time) => new Date(time).toUTCString());
  throw new Error(
    `its Last-Modified is ${found ?? ''}, before that of the supergraph that is served (${served ?? ''}): a cache sent an old response. To go back to an older supergraph, publish it again`,
  );
}

/**
 * Throws if a subgraph that is new, or at a new URL, does not respond. Then the supergraph was
 * published before its subgraphs, or belongs to another deployment.
 */
async function requireNewSubgraphs(old: ServedGraph, next: ServedGraph): Promise<void> {
  const added = [...next.subgraphs].filter(([name, url]) => old.subgraphs.get(name) !== url).map(([name]) => name);
  const available = await Promise.all(added.map(next.isSubgraphAvailable));
  const silent = added.filter((_, index) => !available[index]);
  if (silent.length > 0)
    throw new Error(
      `it names ${silent.join(', ')}, which ${silent.length === 1 ? 'does' : 'do'} not respond at the given URL`,
    );
}

/** In one log line. */
const maxChanges = 100;

/**
 * Returns what a new supergraph has removed or changed so that operations of clients may fail, or
 * null. A valid supergraph may lack a subgraph by mistake.
 */
function findBreaking(old: ServedGraph, next: ServedGraph) {
  const removedSubgraphs = [...old.subgraphs.keys()].filter((name) => !next.subgraphs.has(name));
  const breakingChanges = findBreakingChanges(old.schema, next.schema)
    .slice(0, maxChanges)
    .map(({ description }) => description);
  return removedSubgraphs.length + breakingChanges.length === 0 ? null : { removedSubgraphs, breakingChanges };
}

type SupergraphCopy = ReturnType<typeof openSupergraphCopy>;

/**
 * Opens the copy of the last valid supergraph at this URL, for a gateway that starts while the
 * registry does not respond. Each URL has its own file, because the gateways of two environments
 * may share a data folder.
 */
export function openSupergraphCopy(folder: string, url: string, log: Logger) {
  const file = join(folder, `supergraph-${shortDigest(url)}.graphql`);
  return {
    file,
    /** Resolves with null if there is no readable copy. */
    read: (): Promise<string | null> => readFile(file, 'utf8').catch(() => null),
    /** A copy that cannot be written is reported, and changes nothing else. */
    async write(text: string): Promise<void> {
      // The name is random, because processes in containers that share the folder may have the same
      // process id.
      const part = `${file}.${randomUUID()}.part`;
      try {
        await mkdir(folder, { recursive: true });
        await writeFile(part, text);
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true }).catch(() => undefined);
        log.warn(
          { file, reason: errorMessage(error) },
          'the copy of the supergraph cannot be written: the gateway cannot start without its registry',
        );
      }
    },
  };
}
