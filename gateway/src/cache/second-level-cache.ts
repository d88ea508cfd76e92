import { createHash } from 'node:crypto';
import type { GatewayMetrics } from '../metrics';
import type { FoundAnswer, RedisCache } from './redis-cache';

/** Which texts a graph's subgraphs serve, as far as they have said. */
export interface ServedDataset {
  /** The digest of the texts, once every subgraph has said that it serves these; null before, and while they or their replicas serve different ones. */
  datasetVersion(): string | null;
  /** Another number whenever a subgraph is found to serve other texts than before: answers from the others are no good then. */
  datasetGeneration(): number;
}

export interface SecondLevelCacheOptions {
  store: Pick<RedisCache, 'isUp' | 'nameOf' | 'find' | 'keep'>;
  supergraphSdl: string;
  texts: ServedDataset;
  metrics: Pick<GatewayMetrics, 'sharedAnswer'>;
}

/** Where the answer to one question lies for all gateways. */
export interface SharedPlace {
  /** Null where there is none, or none can be had in time. Never rejects. */
  find(): Promise<FoundAnswer | null>;
  keep(body: string | Buffer): void;
}

/**
 * The answers of one graph that gateways share. A place is named after the supergraph, the texts and the question, so that no other's answer is found there. Every answer of
 * a subgraph says which texts it comes from: where one says something new while a question is under way, its answer may be of either, and is not shared.
 */
export function createSecondLevelCache({ store, supergraphSdl, texts, metrics }: SecondLevelCacheOptions) {
  const graph = createHash('sha256').update(supergraphSdl).digest('hex');

  /** Null where nothing is shared at this moment. */
  return (question: string): SharedPlace | null => {
    const corpus = texts.datasetVersion();
    if (corpus === null || !store.isUp()) {
      metrics.sharedAnswer('skipped');
      return null;
    }
    const seen = texts.datasetGeneration();
    const isOfTheseTexts = (): boolean => texts.datasetGeneration() === seen;
    const name = store.nameOf([graph, corpus, question]);
    return {
      async find() {
        try {
          const found = await store.find(name);
          const good = isOfTheseTexts() ? found : null;
          metrics.sharedAnswer(good ? 'hit' : 'miss');
          return good;
        } catch {
          metrics.sharedAnswer('failed');
          return null;
        }
      },
      keep(body) {
        if (isOfTheseTexts()) store.keep(name, body);
      },
    };
  };
}
