import type { PhraseMatch } from './bonus';

/** A topic with its similarity to a query. */
export interface TopicMatch {
  topic: string;
  /**
   * The mean of the two highest cosines between the query and the topic's phrases and other names,
   * limited to the range 0 to 1 and rounded to four decimals. A phrase is the text of one entry of
   * the topic. If the second cosine is unknown or below a floor, the floor takes its place: see
   * `nearPhrases`.
   */
  similarity: number;
}

/** A phrase of a topic, or another name of the topic, with its similarity to a query. */
interface NearPhrase {
  topic: string;
  cosine: number;
}

/**
 * The rank of the phrase whose cosine is the floor. A topic with at most one phrase above the floor
 * gets the floor as the cosine of its second phrase.
 */
const nearPhrases = 200;

/** The maximum number of other names of topics that count, the nearest ones. */
const nearNames = 50;

interface TopicPhraseLists {
  /**
   * Resolves with the phrases of topics that are nearest to a query, best first: at least `limit`,
   * if there are so many.
   */
  nearestPhrases(limit: number): Promise<readonly PhraseMatch[]>;
  /** The number of phrases of topics. */
  count: number;
  /** Resolves with the nearest other names of topics, best first. */
  nearestNames(limit: number): Promise<readonly PhraseMatch[]>;
  topicOf(phrase: number): string;
}

/**
 * Finds the topics nearest to a query, best first. Topics with equal similarity are in alphabetical
 * order. The two nearest phrases of a topic count, because a single near phrase may be a
 * coincidence. If a topic has no second near phrase, the 200th nearest phrase of all topics counts
 * as its second.
 */
export async function findNearestTopics(lists: TopicPhraseLists, limit: number): Promise<TopicMatch[]> {
  if (limit < 1) return [];
  const names = (await lists.nearestNames(nearNames)).slice(0, nearNames);
  for (let wanted = nearPhrases; ; wanted *= 4) {
    const phrases = await lists.nearestPhrases(Math.min(wanted, lists.count));
    const floor = phrases[nearPhrases - 1]?.cosine ?? phrases.at(-1)?.cosine ?? 0;
    const topics = rankTopics(
      [...phrases, ...names.filter(({ cosine }) => cosine >= floor)].map(({ phrase, cosine }) => ({
        topic: lists.topicOf(phrase),
        cosine,
      })),
      floor,
    );
    if (topics.length > limit || wanted >= lists.count) return topics.slice(0, limit);
  }
}

function rankTopics(phrases: readonly NearPhrase[], floor: number): TopicMatch[] {
  const cosines = new Map<string, number[]>();
  for (const { topic, cosine } of phrases) cosines.set(topic, [...(cosines.get(topic) ?? []), cosine]);
  return Array.from(cosines, ([topic, own]) => {
    const [first = 0, second = floor] = own.sort((a, b) => b - a);
    return { topic, similarity: roundSimilarity((first + Math.max(second, floor)) / 2) };
  }).sort((a, b) => b.similarity - a.similarity || (a.topic < b.topic ? -1 : 1));
}

const roundSimilarity = (cosine: number): number => Math.round(Math.min(1, Math.max(0, cosine)) * 10_000) / 10_000;
