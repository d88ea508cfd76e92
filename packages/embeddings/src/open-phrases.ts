import { statSync } from 'node:fs';
import type { VerseValues } from './lexical-overlap';
import { identityOf } from './open-vectors';
import { createBonusSum, createPhraseEvidence, type PhraseMatch, requiredPhrases } from './phrase-evidence';
import { phraseLists, readPhraseReferences } from './phrases-file';
import { createVectorScan, type ScanMatches } from './vector-scan';

export interface OpenPhrasesOptions {
  /** The id of the embedder that queries come from. */
  embedder: string;
  /** The names of topics whose phrases are left out, so that an evaluation does not find its own labels. */
  without?: ReadonlySet<string>;
}

/** Returns the position of a verse among the verses that are ranked, or null. `ordinal` is in the standard numbering. */
export type PositionOf = (ordinal: number) => number | null;

/** Resolves with `lexical` plus the bonus of verses that the phrases nearest to the query name. */
export type AddEvidence = (vector: Float32Array, lexical: VerseValues | null) => Promise<VerseValues | null>;

/** A topic with its similarity to a query. */
export interface TopicMatch {
  topic: string;
  /** The similarity from 0 to 1, rounded to four decimals: the largest of its phrases. */
  similarity: number;
}

/** A bonus so low that a phrase is never among the nearest. */
const exclusion = -10;

/**
 * Opens the phrases and a worker thread that compares queries with them. Throws a ChecksummedFileError if the file is
 * missing, damaged or of another embedder.
 */
export async function openPhrases(file: string, { embedder, without = new Set() }: OpenPhrasesOptions) {
  const fileIdentity = identityOf(statSync(file, { throwIfNoEntry: false }));
  const { rowsAt, dimensions, counts, sources, ...references } = await readPhraseReferences(file, { embedder });
  const { labels, labelOf } = references;
  const isIncluded = (phrase: number): boolean =>
    phrase >= counts.topics || !without.has(labels[labelOf[phrase] ?? 0] ?? '');
  const firsts = { topics: 0, outlines: counts.topics };
  const scan = await createVectorScan(
    { file, fileIdentity, dimensions },
    phraseLists.map((list) => ({ rowsAt: rowsAt + firsts[list] * dimensions, count: counts[list] })),
  );
  const lists = phraseLists.map((list, table) => {
    const first = firsts[list];
    const excluded = Array.from({ length: counts[list] }, (_, index) => index).filter(
      (index) => !isIncluded(first + index),
    );
    const bonus =
      excluded.length === 0
        ? null
        : { positions: Uint32Array.from(excluded), values: new Float32Array(excluded.length).fill(exclusion) };
    return {
      count: counts[list],
      required: requiredPhrases(list),
      createEvidence: (positionOf: PositionOf) =>
        createPhraseEvidence(references, list, {
          positionOf,
          isIncluded,
          range: [first, first + counts[list]],
        }),
      /** Resolves with the phrases nearest to the query, best first: at least `limit`, if there are so many. */
      async nearest(vector: Float32Array, limit: number): Promise<PhraseMatch[]> {
        return counts[list] === 0 ? [] : toMatches(await scan.find(table, { vector, limit, bonus }), first);
      },
    };
  });

  return {
    /** The digest of each source of the phrases, by its id. */
    sources,

    /** Creates the function that adds the evidence of phrases for `count` verses at these positions. */
    createEvidence(positionOf: PositionOf, count: number): AddEvidence {
      const addBonuses = createBonusSum(count);
      const evidence = lists.map(({ createEvidence }) => createEvidence(positionOf));
      return async (vector, lexical) => {
        const matches = await Promise.all(lists.map(({ nearest, required }) => nearest(vector, required)));
        const bonuses = new Map<number, number>();
        for (const [index, addEvidence] of evidence.entries()) addEvidence(matches[index] ?? [], bonuses);
        return addBonuses(lexical, bonuses);
      };
    },

    /** Resolves with the topics nearest to the query, best first; topics of one similarity in alphabetical order. */
    async nearestTopics(vector: Float32Array, limit: number): Promise<TopicMatch[]> {
      const [topics] = lists;
      if (!topics || limit < 1) return [];
      for (let phrases = limit * phrasesPerTopic; ; phrases *= 4) {
        const matches = await topics.nearest(vector, Math.min(phrases, topics.count));
        const byTopic = new Map<string, number>();
        for (const { phrase, cosine } of matches) {
          const topic = labels[labelOf[phrase] ?? 0] ?? '';
          if (!byTopic.has(topic)) byTopic.set(topic, Math.round(Math.min(1, Math.max(0, cosine)) * 10_000) / 10_000);
        }
        if (byTopic.size > limit || phrases >= topics.count)
          return Array.from(byTopic, ([topic, similarity]) => ({ topic, similarity }))
            .sort((a, b) => b.similarity - a.similarity || (a.topic < b.topic ? -1 : 1))
            .slice(0, limit);
      }
    },

    close: () => scan.close(),
  };
}

export type OpenPhrases = Awaited<ReturnType<typeof openPhrases>>;

/** The number of phrases to compare for each requested topic. If they have too few topics, more phrases are compared. */
const phrasesPerTopic = 10;

const toMatches = ({ indices, cosines }: ScanMatches, first: number): PhraseMatch[] =>
  Array.from(indices, (index, at) => ({ phrase: first + index, cosine: cosines[at] ?? 0 })).sort(
    (a, b) => b.cosine - a.cosine || a.phrase - b.phrase,
  );
