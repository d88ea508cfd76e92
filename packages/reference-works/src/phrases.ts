import type { StandardVerses, VerseSpan } from './spans';
import type { Topic } from './topics';

/** A phrase of a topical Bible that describes some verses. */
export interface TopicPhrase {
  /** "aaron: rod of: buds": the topic, the heading of the section and the entry. */
  readonly text: string;
  readonly topic: string;
  readonly references: readonly VerseSpan[];
}

const maxLength = 160;

/**
 * Lists the phrases of topics that name verses, without duplicates, in the order of the topics. References to whole
 * chapters are left out, because such a phrase says little about a single verse.
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
 * Lists the other names of topics. "ANXIETY: See CARE" makes "anxiety" another name of "care", if only "care" has
 * phrases.
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
