import type { Logger } from '@lectern/serving';
import type { SupergraphSource } from './supergraph-source';

/** What the swap to a new supergraph needs of a graph. */
export interface ServedGraph {
  /** The URLs of the supergraph by subgraph name. */
  readonly subgraphs: ReadonlyMap<string, string>;
  /** Whether the subgraph responds to the simplest operation. */
  isSubgraphAvailable(subgraph: string): Promise<boolean>;
  close(): Promise<void>;
}

export interface LiveGraphOptions<Graph extends ServedGraph> {
  source: SupergraphSource;
  /** Composes a supergraph into a graph that is ready to serve. Rejects with what is wrong with it. */
  open: (sdl: string) => Promise<Graph>;
  /** How often the source is asked for another one; 0 for never. */
  everyMs: number;
  log: Logger;
  onSwap?: (outcome: 'served' | 'rejected') => void;
}

/** A graph with what is under way on it, so that it is closed when nobody needs it any more. */
export interface Lease<Graph extends ServedGraph> {
  readonly graph: Graph;
  inFlight: number;
  retired: boolean;
}

/**
 * The graph of the newest supergraph that is one. Another is made ready aside and takes the place of the old in one step; requests under way
 * finish on the graph they began with, and with the old one its plans, prices and limits are gone. One that is broken changes
 * nothing and is told once.
 */
export async function createLiveGraph<Graph extends ServedGraph>({
  source,
  open,
  everyMs,
  log,
  onSwap,
}: LiveGraphOptions<Graph>) {
  const first = await source.read(null);
  if (!first) throw new Error(`${source.name} holds no supergraph.`);
  let known = first.version;
  let serving: Lease<Graph> = { graph: await open(first.sdl), inFlight: 0, retired: false };
  let closed = false;
  let fault = '';
  let timer: NodeJS.Timeout | undefined;

  const tell = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error);
    // The same fault every second is one fault.
    if (message === fault) return;
    fault = message;
    log.error({ source: source.name, fault: message }, 'the new supergraph is refused: the old one goes on');
    onSwap?.('rejected');
  };

  const look = async (): Promise<void> => {
    try {
      const found = await source.read(known);
      if (found) {
        const graph = await open(found.sdl);
        await requireNewSubgraphs(serving.graph, graph).catch(async (error: unknown) => {
          await graph.close();
          throw error;
        });
        if (closed) return void (await graph.close());
        known = found.version;
        retire(serving);
        serving = { graph, inFlight: 0, retired: false };
        log.info({ source: source.name, subgraphs: [...graph.subgraphs.keys()] }, 'a new supergraph is served');
        onSwap?.('served');
      }
      fault = '';
    } catch (error) {
      tell(error);
    }
    again();
  };

  const again = (): void => {
    if (!closed && everyMs > 0) timer = setTimeout(() => void look(), everyMs).unref();
  };
  again();

  return {
    current: (): Graph => serving.graph,
    isRejecting: (): boolean => fault !== '',
    /** Keeps the current graph open until `release`. */
    acquire(): Lease<Graph> {
      serving.inFlight += 1;
      return serving;
    },
    release(lease: Lease<Graph>): void {
      lease.inFlight -= 1;
      closeWhenIdle(lease);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await serving.graph.close();
    },
  };

  function retire(old: Lease<Graph>): void {
    old.retired = true;
    closeWhenIdle(old);
  }

  function closeWhenIdle(old: Lease<Graph>): void {
    if (old.retired && old.inFlight === 0)
      old.graph.close().catch((error: unknown) => log.warn({ err: error }, 'an old graph did not close'));
  }
}

/** A subgraph that was not there before has to answer, or the supergraph is of somewhere else or came too early. */
async function requireNewSubgraphs(old: ServedGraph, next: ServedGraph): Promise<void> {
  const added = [...next.subgraphs].filter(([name, url]) => old.subgraphs.get(name) !== url).map(([name]) => name);
  const silent = (
    await Promise.all(added.map(async (name) => ((await next.isSubgraphAvailable(name)) ? [] : [name])))
  ).flat();
  if (silent.length > 0)
    throw new Error(
      `it names ${silent.join(', ')}, which ${silent.length === 1 ? 'does' : 'do'} not answer at the given URL`,
    );
}
