import { statSync } from 'node:fs';
import { fileIdentity, isChecksummedFileError } from '@lectern/data-files';
import type { AddPhraseBonus, Embedder, OpenPhrases, TopicMatch } from '@lectern/embeddings';
import { openPhrases, phrasesFile } from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import { phraseSources } from './phrases';

export interface TopicPhrasesOptions {
  /** The data folder, in which `buildSemanticFiles` has built the file of phrases. */
  dataDir: string;
  embedder: Pick<Embedder, 'id'>;
  /**
   * Returns the row of a verse in the vectors that all translations share. The verse is an ordinal
   * in the standard numbering: 43003016 is JHN 3:16.
   */
  rowOf: (ordinal: number) => number | null;
  /** The number of rows of the vectors that all translations share. */
  count: number;
  /**
   * How long a query may wait for its vector, in milliseconds. After a replacement, the old file of
   * phrases stays open for twice this time, for queries in flight.
   */
  timeoutMs: number;
  log: Logger;
}

interface Opened {
  readonly phrases: OpenPhrases;
  readonly addPhraseBonus: AddPhraseBonus;
}

/**
 * The phrases of topics and outlines, each with its vector and the verses that it names. If a
 * phrase is near to a query, its verses get a bonus in the search by meaning. If the file of
 * phrases is missing or cannot be used, the search works without this bonus. `refresh` opens the
 * file, and opens it again after it was replaced.
 */
export function openTopicPhrases({ dataDir, embedder, rowOf, count, timeoutMs, log }: TopicPhrasesOptions) {
  const file = phrasesFile(dataDir);
  const sources = Object.values(phraseSources);
  let opened: Opened | null = null;
  let openedIdentity = 'none';

  const open = async (): Promise<Opened | null> => {
    try {
      const phrases = await openPhrases(file, { embedder: embedder.id });
      return { phrases, addPhraseBonus: phrases.createAddPhraseBonus(rowOf, count) };
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      log.warn(`semantic search works without topics: ${error.message}`);
      return null;
    }
  };
  const isMissing = (id: string): boolean => opened?.phrases.sources[id] === undefined;

  return {
    async refresh(): Promise<void> {
      const identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
      if (identity === openedIdentity) return;
      openedIdentity = identity;
      const before = opened;
      opened = await open();
      // Closes the old file later, because queries in flight still use it.
      if (before) setTimeout(() => void before.phrases.close(), 2 * timeoutMs).unref();
      for (const { title, debianPackage } of opened ? sources.filter(({ id }) => isMissing(id)) : [])
        log.warn(`semantic search works without ${title}: install ${debianPackage} and run \`npm run data\``);
    },

    /** Returns the titles of the reference works whose phrases are missing. */
    missingWorks: (): string[] => sources.filter(({ id }) => isMissing(id)).map(({ title }) => title),

    hasTopics: (): boolean => !isMissing(phraseSources.topics.id),

    /**
     * Resolves with the bonus `lexical` plus a bonus for the verses that are named by the phrases
     * nearest to the query in meaning.
     */
    addPhraseBonus: (async (vector, lexical) =>
      opened ? opened.addPhraseBonus(vector, lexical) : lexical) satisfies AddPhraseBonus,

    /** Resolves with the topics nearest to a query, best first. */
    nearestTopics: async (vector: Float32Array, limit: number): Promise<TopicMatch[]> =>
      (await opened?.phrases.nearestTopics(vector, limit)) ?? [],

    close: async (): Promise<void> => opened?.phrases.close(),
  };
}
