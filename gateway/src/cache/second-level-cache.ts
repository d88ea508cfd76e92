import { createHash } from 'node:crypto';
import type { Observations } from '../metrics';
import type { AnswerStore, FoundAnswer } from './redis-cache';

/** Which texts a graph's subgraphs serve, as far as they have said. */
export interface ServedTexts {
  /** The digest of the texts, once every subgraph has said that it serves these; null before, and while they or their replicas serve different ones. */
  corpus(): string | null;
  /** Another number whenever a subgraph is found to serve other texts than before: answers from the others are no good then. */
  corporaSeen(): number;
}

export interface SharedAnswersOptions {
  store: Pick<AnswerStore, 'isUp' | 'nameOf' | 'find' | 'keep'>;
  supergraphSdl: string;
  texts: ServedTexts;
  observations: Pick<Observations, 'sharedAnswer'>;
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
export function createSharedAnswers({ store, supergraphSdl, texts, observations }: SharedAnswersOptions) {
  const graph = createHash('sha256').update(supergraphSdl).digest('hex');

  /** Null where nothing is shared at this moment. */
  return (question: string): SharedPlace | null => {
    const corpus = texts.corpus();
    if (corpus === null || !store.isUp()) {
      observations.sharedAnswer('skipped');
      return null;
    }
    const seen = texts.corporaSeen();
    const isOfTheseTexts = (): boolean => texts.corporaSeen() === seen;
    const name = store.nameOf([graph, corpus, question]);
    return {
      async find() {
        try {
          const found = await store.find(name);
          const good = isOfTheseTexts() ? found : null;
          observations.sharedAnswer(good ? 'hit' : 'miss');
          return good;
        } catch {
          observations.sharedAnswer('failed');
          return null;
        }
      },
      keep(body) {
        if (isOfTheseTexts()) store.keep(name, body);
      },
    };
  };
}
