import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage, type Logger } from '@lectern/serving';
import { findBreakingChanges, type GraphQLSchema } from 'graphql';
import type { FoundText, TextSource } from '../shared/text-sources';

/** The members of a graph that are needed to replace its supergraph. `graph.ts` describes them. */
interface ServedGraph {
  readonly schema: GraphQLSchema;
  readonly subgraphs: ReadonlyMap<string, string>;
  isSubgraphAvailable(subgraph: string): Promise<boolean>;
  probed(): Promise<void>;
  close(): Promise<void>;
}

interface LiveSupergraphOptions<Graph extends ServedGraph> {
  source: TextSource;
  /** The copy of the supergraph on disk. Null if the source is a file. */
  copy: SupergraphCopy | null;
  /** Opens a graph that is ready to serve. Rejects with the reason if the supergraph is invalid. */
  open: (sdl: string) => Promise<Graph>;
  /** Resolves with whether a subgraph responds at the URL that a rejected supergraph gives. */
  isSubgraphAvailable: (name: string, url: string) => Promise<boolean>;
  /** The graph that is used until the first supergraph is served. It rejects every request. */
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
}

/** The state of the supergraph, for operators. If no supergraph is served, `sha256` and `servedSince` are null. */
export interface SupergraphState {
  readonly source: string;
  /** The first digits of the SHA-256 of the supergraph that is served. */
  readonly sha256: string | null;
  /** The time since which this supergraph is served, in ISO 8601. */
  readonly servedSince: string | null;
  /** Whether the copy on disk is served, because the source was unusable at the start. */
  readonly isCopy: boolean;
  /** Why the newest supergraph is not served. Null if the newest is served. */
  readonly rejected: SupergraphRejection | null;
}

/** Why the newest supergraph is not served. */
export interface SupergraphRejection {
  readonly reason: string;
  /** The first digits of its SHA-256. Null if it could not be read, or is older than the served one. */
  readonly sha256: string | null;
  /** The subgraphs that must respond before the supergraph is served. Empty if the supergraph is invalid. */
  readonly missingSubgraphs: readonly string[];
}

interface Served {
  readonly text: string;
  /** The version of the source's text. Null for the copy on disk. */
  readonly version: string | null;
  readonly modifiedAt: number | null;
  readonly since: Date;
}

/** A rejected supergraph. It is loaded again when all its missing subgraphs respond. */
interface Rejected {
  readonly found: FoundText;
  readonly error: unknown;
  /** The URLs of the subgraphs that do not respond, by subgraph name. Empty if the supergraph is invalid. */
  readonly missing: ReadonlyMap<string, string>;
  /** The pause before the next probe, in milliseconds. */
  readonly pauseMs: number;
  /** When the subgraphs are probed next, on the clock of `performance.now()`. */
  readonly probeAt: number;
}

/** The shortest and longest pauses between probes of a missing subgraph, in milliseconds. */
const minPauseMs = 2_000;
const maxPauseMs = 10_000;

const shortDigest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

/**
 * Serves the graph of the newest valid supergraph. A new graph is opened beside the current one and replaces it in one
 * step, and requests in flight finish on theirs. An invalid supergraph changes nothing and is reported once. One with a
 * new subgraph that does not respond is served when a probe finds the subgraph. If the first supergraph of a URL is
 * unusable, the copy on disk is served, or else the placeholder, and the URL is read again. Rejects if the first
 * supergraph of a file is unusable, or if there is none to serve and `pollMs` is 0.
 */
export async function createLiveSupergraph<Graph extends ServedGraph>(options: LiveSupergraphOptions<Graph>) {
  const { source, pollMs, log, onSwap } = options;
  const leases = createGraphLeases(options);
  const { current, acquire, release, served } = leases;
  const { rejection, readSource, retryRejected, serveCopy } = createSupergraphLoader(options, leases);
  /** The digest or the reason of the rejection that was logged last. */
  let reported: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  const poll = async (): Promise<void> => {
    const isFirst = served() === null;
    await readSource();
    await retryRejected();
    if (isFirst && served()) {
      log.info({ source: source.name }, 'the gateway has its first supergraph');
      onSwap?.('served');
    }
    report();
    schedulePoll();
  };

  const schedulePoll = (): void => {
    if (!leases.isClosed() && pollMs > 0) timer = setTimeout(() => void poll(), pollMs).unref();
  };

  /** Logs a rejection once, even if each poll has the same result. */
  const report = (): void => {
    const newest = rejection();
    const last = reported;
    reported = newest && (newest.sha256 ?? newest.reason);
    if (!newest || reported === last) return;
    log.error(
      { source: source.name, ...newest },
      served()
        ? 'the new supergraph is rejected: the old one is still served'
        : 'the gateway has no supergraph: requests are rejected with SUPERGRAPH_UNAVAILABLE',
    );
    onSwap?.('rejected');
  };

  const reason = await readSource();
  if (reason !== undefined) {
    if (!source.isUrl) throw reason;
    await serveCopy(errorMessage(reason));
    if (!served() && pollMs === 0) throw reason;
    report();
  }
  schedulePoll();

  return {
    current,
    acquire,
    release,
    /** Calls `use` with the current graph, and keeps the graph open until `use` is done. */
    withGraph<Result>(use: (graph: Graph) => Promise<Result>): Promise<Result> {
      const lease = acquire();
      return use(lease.graph).finally(() => release(lease));
    },
    /** Resolves when the subgraphs of the first supergraph have responded to a probe or failed. */
    probed: leases.probed,
    isServing: (): boolean => served() !== null,
    state(): SupergraphState {
      const now = served();
      const sha256 = now && shortDigest(now.text);
      const servedSince = now && now.since.toISOString();
      return { source: source.name, sha256, servedSince, isCopy: now?.version === null, rejected: rejection() };
    },
    async close() {
      clearTimeout(timer);
      await leases.close();
    },
  };
}

/** Holds the graph that is served, at first the placeholder. An old graph is closed when its last request ends. */
function createGraphLeases<Graph extends ServedGraph>(options: LiveSupergraphOptions<Graph>) {
  const { placeholder, log, onSwap } = options;
  const source = options.source.name;
  let current: Lease<Graph> = { graph: placeholder, inFlight: 0 };
  let served: Served | null = null;
  let closed = false;
  let resolveProbed: () => void;
  const probed = new Promise<void>((resolve) => (resolveProbed = resolve));

  const closeIfUnused = (lease: Lease<Graph>): void => {
    if (lease !== current && lease.inFlight === 0)
      lease.graph.close().catch((error: unknown) => log.warn({ err: error }, 'an old graph did not close'));
  };

  return {
    probed,
    /** Returns the graph that is served, or the placeholder if there is none. */
    current: (): Graph => current.graph,
    /** Returns what is served. Null for the placeholder. */
    served: (): Served | null => served,
    /** Returns the current graph. The graph stays open until the caller calls `release`. */
    acquire(): Lease<Graph> {
      current.inFlight += 1;
      return current;
    },
    release(lease: Lease<Graph>): void {
      lease.inFlight -= 1;
      closeIfUnused(lease);
    },
    async swapTo(graph: Graph, next: Omit<Served, 'since'>): Promise<void> {
      if (closed) return graph.close();
      const [old, oldServed] = [current, served];
      served = { ...next, since: new Date() };
      current = { graph, inFlight: 0 };
      closeIfUnused(old);
      if (!oldServed) return void graph.probed().then(resolveProbed);
      log.info({ source, subgraphs: [...graph.subgraphs.keys()] }, 'a new supergraph is served');
      const lost = findBreaking(old.graph, graph);
      if (lost) log.warn({ source, ...lost }, 'the new supergraph lacks parts of the old one: operations may fail');
      onSwap?.('served');
      return undefined;
    },
    /** Records that the source has the text that is served. Returns false for any other text. */
    confirm({ text, version, modifiedAt }: FoundText): boolean {
      if (served?.text !== text) return false;
      served = { ...served, version, modifiedAt: served.modifiedAt ?? modifiedAt };
      return true;
    },
    isClosed: (): boolean => closed,
    async close(): Promise<void> {
      closed = true;
      await current.graph.close();
    },
  };
}

/** Reads supergraphs, from the source or the copy on disk, and serves or rejects them. */
function createSupergraphLoader<Graph extends ServedGraph>(
  { source, copy, open, isSubgraphAvailable, log }: LiveSupergraphOptions<Graph>,
  { current, served, swapTo, confirm, isClosed }: ReturnType<typeof createGraphLeases<Graph>>,
) {
  let rejected = null as Rejected | null;
  /** Why the last attempt to read the source failed. Null if it succeeded. */
  let failure: unknown = null;

  /** Serves a supergraph, or stores it as rejected. */
  const load = async (found: FoundText): Promise<void> => {
    let missing: ReadonlyMap<string, string> = new Map();
    try {
      const graph = await open(found.text);
      if (served()) missing = await findMissing(current(), graph);
      if (missing.size > 0) {
        await graph.close();
        throw new Error(describeMissing(missing));
      }
      await swapTo(graph, found);
      rejected = null;
    } catch (error) {
      const pauseMs = rejected?.found.text === found.text ? rejected.pauseMs : minPauseMs;
      rejected = { found, error, missing, pauseMs, probeAt: performance.now() + pauseMs };
    }
  };

  const serve = async (found: FoundText): Promise<void> => {
    if (confirm(found)) {
      rejected = null;
    } else {
      requireNotOlder(served()?.modifiedAt ?? null, found.modifiedAt);
      if (rejected?.found.text === found.text) rejected = { ...rejected, found };
      else await load(found);
    }
  };

  return {
    rejection(): SupergraphRejection | null {
      if (failure !== null) return { reason: errorMessage(failure), sha256: null, missingSubgraphs: [] };
      if (!rejected) return null;
      const { error, found, missing } = rejected;
      return { reason: errorMessage(error), sha256: shortDigest(found.text), missingSubgraphs: [...missing.keys()] };
    },

    /** Resolves with the reason if the newest supergraph is not served. */
    async readSource(): Promise<unknown> {
      try {
        const found = await source.read((rejected?.found ?? served())?.version ?? null);
        if (found) await serve(found);
        failure = null;
        if (found && !rejected) await copy?.write(found.text);
      } catch (error) {
        failure = error;
      }
      return failure ?? rejected?.error;
    },

    /** Loads a rejected supergraph again when all missing subgraphs respond. The pauses double up to `maxPauseMs`. */
    async retryRejected(): Promise<void> {
      if (isClosed() || !rejected || rejected.missing.size === 0 || performance.now() < rejected.probeAt) return;
      const missing = await withoutAvailable(rejected.missing, isSubgraphAvailable);
      const pauseMs = Math.min(2 * rejected.pauseMs, maxPauseMs);
      const error = missing.size > 0 ? new Error(describeMissing(missing)) : rejected.error;
      rejected = { ...rejected, error, missing, pauseMs, probeAt: performance.now() + pauseMs };
      if (missing.size > 0 || isClosed()) return;
      const { found } = rejected;
      await load(found);
      if (!rejected) await copy?.write(found.text);
    },

    async serveCopy(reason: string): Promise<void> {
      const text = (await copy?.read()) ?? null;
      if (text === null) return;
      try {
        await swapTo(await open(text), { text, version: null, modifiedAt: null });
        log.warn({ source: source.name, reason, file: copy?.file }, 'the copy of the last supergraph is served');
      } catch (error) {
        log.warn({ file: copy?.file, reason: errorMessage(error) }, 'the copy of the last supergraph is invalid');
      }
    },
  };
}

/** Throws if an HTTP cache sent an old response. A rollback by publishing again has a later Last-Modified. */
function requireNotOlder(servedAt: number | null, foundAt: number | null): void {
  if (servedAt === null || foundAt === null || foundAt >= servedAt) return;
  throw new Error(
    `its Last-Modified is ${new Date(foundAt).toUTCString()}, before that of the supergraph that is served (${new Date(servedAt).toUTCString()}): a cache sent an old response. To go back to an older supergraph, publish it again`,
  );
}

/** Resolves with the URLs of new subgraphs that do not respond: the supergraph was published before they were ready. */
function findMissing(old: ServedGraph, next: ServedGraph): Promise<ReadonlyMap<string, string>> {
  const added = [...next.subgraphs].filter(([name, url]) => old.subgraphs.get(name) !== url);
  return withoutAvailable(new Map(added), next.isSubgraphAvailable);
}

async function withoutAvailable(
  urls: ReadonlyMap<string, string>,
  isAvailable: (name: string, url: string) => Promise<boolean>,
): Promise<ReadonlyMap<string, string>> {
  const available = await Promise.all([...urls].map(([name, url]) => isAvailable(name, url)));
  return new Map([...urls].filter((_, index) => !available[index]));
}

const describeMissing = (missing: ReadonlyMap<string, string>): string =>
  `it names ${[...missing.keys()].join(', ')}, which ${missing.size === 1 ? 'does' : 'do'} not respond at the given URL`;

const maxChanges = 100;

/** Returns the changes that may make operations fail, or null. They may be on purpose, so they are only logged. */
function findBreaking(old: ServedGraph, next: ServedGraph) {
  const removedSubgraphs = [...old.subgraphs.keys()].filter((name) => !next.subgraphs.has(name));
  const breakingChanges = findBreakingChanges(old.schema, next.schema)
    .slice(0, maxChanges)
    .map(({ description }) => description);
  return removedSubgraphs.length + breakingChanges.length === 0 ? null : { removedSubgraphs, breakingChanges };
}

type SupergraphCopy = ReturnType<typeof openSupergraphCopy>;

/** Each URL has its own copy, because the gateways of two environments may share a folder. */
export function openSupergraphCopy(folder: string, url: string, log: Logger) {
  const file = join(folder, `supergraph-${shortDigest(url)}.graphql`);
  return {
    file,
    /** Resolves with the stored supergraph, or with null if there is no readable copy. */
    read: (): Promise<string | null> => readFile(file, 'utf8').catch(() => null),
    /** Writes the copy. If this fails, logs the error and continues. */
    async write(text: string): Promise<void> {
      // The name is random: two processes in different containers may share the folder, and have one process id.
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
