import type { Logger } from '@lectern/serving';
import { errorMessage } from '@lectern/serving';
import type { GraphQLSchema } from 'graphql';
import type { TextSource } from '../text-sources';
import { findLostParts } from './lost-parts';

/** The members of a graph that replacing a supergraph needs. */
export interface ServedGraph {
  /** The schema that clients see. */
  readonly schema: GraphQLSchema;
  /** The URLs of the supergraph by subgraph name. */
  readonly subgraphs: ReadonlyMap<string, string>;
  /** Whether the subgraph responds to the simplest operation. */
  isSubgraphAvailable(subgraph: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface LiveSupergraphOptions<Graph extends ServedGraph> {
  source: TextSource;
  /** Opens a graph that is ready to serve. Rejects with the reason if the supergraph is invalid. */
  open: (sdl: string) => Promise<Graph>;
  /** The interval at which the source is read, in milliseconds. 0 means never. */
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
 * Serves the graph of the newest valid supergraph.
 *
 * A new graph is opened beside the current graph and replaces the current graph in one step.
 * Requests in flight finish on the graph on which they began, which is then closed with its plans
 * and caches. An invalid supergraph changes nothing and is reported once.
 */
export async function createLiveSupergraph<Graph extends ServedGraph>({
  source,
  open,
  pollMs,
  log,
  onSwap,
}: LiveSupergraphOptions<Graph>) {
  const first = await source.read(null);
  if (!first) throw new Error(`${source.name} holds no supergraph.`);
  let version = first.version;
  let current: Lease<Graph> = { graph: await open(first.text), inFlight: 0, retired: false };
  let closed = false;
  /**
   * The reason why the newest supergraph is rejected. Null while the newest supergraph is served.
   */
  let rejection: string | null = null;
  let timer: NodeJS.Timeout | undefined;

  const swapTo = async (found: { readonly text: string; readonly version: string }): Promise<void> => {
    const graph = await open(found.text);
    await requireNewSubgraphs(current.graph, graph).catch(async (error: unknown) => {
      await graph.close();
      throw error;
    });
    if (closed) return graph.close();
    version = found.version;
    const old = current;
    current = { graph, inFlight: 0, retired: false };
    old.retired = true;
    closeIfUnused(old);
    log.info({ source: source.name, subgraphs: [...graph.subgraphs.keys()] }, 'a new supergraph is served');
    const lost = findLostParts(old.graph, graph);
    if (lost)
      log.warn({ source: source.name, ...lost }, 'the new supergraph lacks parts of the old one: operations may fail');
    onSwap?.('served');
    return undefined;
  };

  const poll = async (): Promise<void> => {
    try {
      const found = await source.read(version);
      if (found) await swapTo(found);
      rejection = null;
    } catch (error) {
      reject(errorMessage(error));
    }
    schedulePoll();
  };

  /** Reports each reason once, however often the source is read. */
  const reject = (reason: string): void => {
    if (reason === rejection) return;
    rejection = reason;
    log.error({ source: source.name, reason }, 'the new supergraph is rejected: the old one is still served');
    onSwap?.('rejected');
  };

  const schedulePoll = (): void => {
    if (!closed && pollMs > 0) timer = setTimeout(() => void poll(), pollMs).unref();
  };

  const closeIfUnused = (lease: Lease<Graph>): void => {
    if (lease.retired && lease.inFlight === 0)
      lease.graph.close().catch((error: unknown) => log.warn({ err: error }, 'an old graph did not close'));
  };

  schedulePoll();

  return {
    current: (): Graph => current.graph,
    /** Returns whether the newest supergraph is rejected. */
    isRejecting: (): boolean => rejection !== null,
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
 * Throws if a subgraph that is new, or at a new URL, does not respond: the supergraph came too
 * early or is not ours.
 */
async function requireNewSubgraphs(old: ServedGraph, next: ServedGraph): Promise<void> {
  const added = [...next.subgraphs].filter(([name, url]) => old.subgraphs.get(name) !== url).map(([name]) => name);
  const silent = (
    await Promise.all(added.map(async (name) => ((await next.isSubgraphAvailable(name)) ? [] : [name])))
  ).flat();
  if (silent.length > 0)
    throw new Error(
      `it names ${silent.join(', ')}, which ${silent.length === 1 ? 'does' : 'do'} not respond at the given URL`,
    );
}
