import type { StandardVerses, VerseSpan } from './spans';
import type { Topic } from './topics';

/** A phrase of a topical Bible, and the verses that it describes. */
export interface TopicPhrase {
  /** The phrase, such as "aaron: rod of: buds": the topic, the heading of the section and the entry. */
  readonly text: string;
  readonly topic: string;
  readonly references: readonly VerseSpan[];
}

const maxLength = 160;

/**
 * Lists the phrases of topics that name verses, in the order of the topics and without duplicates. Leaves out
 * references to whole chapters, because their phrases say little about a single verse.
 */
export function listTopicPhrases(
  topics: readonly Topic[],
  verses: Pick<StandardVerses, 'areWholeChapters'>,
): TopicPhrase[] {
  const phrases = new Map<string, TopicPhrase & { references: VerseSpan[] }>();
  for (const { name, sections } of topics)
    for (const { heading, entries } of sections)
      for (const entry of entries) {
        const references = entry.references.filter((span) => !verses.areWholeChapters(span));
        if (references.length === 0) continue;
        const words = [name, heading, entry.text].filter(Boolean).join(': ');
        const text = words.replace(/\s+/g, ' ').slice(0, maxLength).toLowerCase();
        const phrase = phrases.get(text) ?? { text, topic: name, references: [] };
        phrase.references.push(...references);
        phrases.set(text, phrase);
      }
  return [...phrases.values()];
}

/**
 * Lists the other names of topics. A topic "ANXIETY: See CARE" makes "anxiety" a name of "care", if "care" has
 * phrases and "anxiety" has none.
 */
export function listOtherTopicNames(
  topics: readonly Topic[],
  phrases: readonly TopicPhrase[],
): { readonly text: string; readonly topic: string }[] {
  const withVerses = new Set(phrases.map(({ topic }) => topic));
  return topics
    .filter(({ name }) => !withVerses.has(name))
    .flatMap(({ name, seeAlso }) =>
      seeAlso.filter((topic) => withVerses.has(topic)).map((topic) => ({ text: name.toLowerCase(), topic })),
    );
}
