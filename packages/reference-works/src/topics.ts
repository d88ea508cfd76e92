import { type MarkupToken, readAttribute, readDictionary, tokenizeMarkup } from '@lectern/corpus';
import type { UnresolvedReference, VersesAndParser } from './references';
import type { StandardVerses, VerseSpan } from './spans';
import { readTopicLine, type TopicPiece } from './topic-line';

/** A line of a topic: words, verses that it names, or both. */
export interface TopicEntry {
  readonly text: string | null;
  readonly references: readonly VerseSpan[];
}

/** The entries under a heading. The heading is null for entries without one. */
export interface TopicSection {
  readonly heading: string | null;
  readonly entries: readonly TopicEntry[];
}

export interface Topic {
  /** The name, such as "ANGEL (a spirit)". Of topics with one name, that with fewer references gets " (2)". */
  readonly name: string;
  readonly sections: readonly TopicSection[];
  /** The names of the topics to which this topic links, in the order of the links, without duplicates. */
  readonly seeAlso: readonly string[];
}

export interface TopicalBible {
  /** The topics in the order of the module, which is alphabetical. */
  readonly topics: readonly Topic[];
  readonly unresolved: readonly UnresolvedReference[];
  readonly brokenLinks: readonly UnresolvedReference[];
}

/** Returns the global id of a topic. It is the same in every subgraph, and clients must not interpret it. */
export const topicId = (name: string): string => Buffer.from(`v1:topic:${name}`).toString('base64url');

/** Returns the name of a topic by its id. Returns null for any text that `topicId` does not produce. */
export function parseTopicId(id: string): string | null {
  const text = id.length <= 1_000 ? Buffer.from(id, 'base64url').toString() : '';
  const name = /^v1:topic:(.+)$/s.exec(text)?.[1] ?? '';
  return name !== '' && topicId(name) === id ? name : null;
}

/** Reads Nave's Topical Bible from its SWORD module. Throws if the module cannot be read. */
export function readTopics(confFile: string, versesAndParser: VersesAndParser): TopicalBible {
  const drafts = readDictionary(confFile).map(({ key, text }) => readTopic(key, text, versesAndParser));
  const names = distinctNames(drafts);
  const resolveLink = createLinkResolver(names);
  const brokenLinks: UnresolvedReference[] = [];
  const topics = drafts.map(({ sections, links }, index): Topic => {
    const name = names[index] ?? '';
    const linked = links.flatMap((link) => {
      const found = resolveLink(link);
      if (found.length === 0) brokenLinks.push({ place: name, reference: link.fullName });
      return found;
    });
    return { name, sections, seeAlso: [...new Set(linked)].filter((each) => each !== name) };
  });
  return { topics, unresolved: drafts.flatMap(({ unresolved }) => unresolved), brokenLinks };
}

/** Makes names different: of equal ones, that with the most references stays, and " (2)" is added to the other. */
function distinctNames(drafts: readonly ReturnType<typeof readTopic>[]): string[] {
  const largest = new Map<string, (typeof drafts)[number]>();
  for (const draft of drafts) {
    const other = largest.get(draft.name);
    if (!other || other.referenceCount < draft.referenceCount) largest.set(draft.name, draft);
  }
  return drafts.map((draft) => (largest.get(draft.name) === draft ? draft.name : `${draft.name} (2)`));
}

const maxTopicsPerLink = 3;

/** Removes case, spaces and punctuation from a name, so that "FIRSTFRUITS" and "FIRST FRUITS" become equal. */
const foldLinkedName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Finds the topics that a link means: first by its words with those after it ("WICKED" + ", PUNISHMENT OF"), then by
 * its words alone. Then their singular or plural counts, then names whose first word they are: "JESUS" means "JESUS,
 * THE CHRIST", and "MINISTERS" means "MINISTER, Civil". Returns [] if no topic fits, or more than `maxTopicsPerLink`.
 */
function createLinkResolver(names: readonly string[]) {
  const byName = new Map(names.map((name) => [foldLinkedName(name), name]));
  const byFirstWord = new Map<string, string[]>();
  for (const name of names) {
    const word = foldLinkedName(/^[^ ,(]+/.exec(name)?.[0] ?? '');
    byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), name]);
  }
  return ({ name, fullName }: { readonly name: string; readonly fullName: string }): readonly string[] => {
    const candidates = [fullName, ...withSingularAndPlural(name)].map(foldLinkedName);
    const exact = candidates.flatMap((candidate) => byName.get(candidate) ?? [])[0];
    if (exact !== undefined) return [exact];
    const longer = candidates.map((candidate) => byFirstWord.get(candidate)).find((found) => found !== undefined) ?? [];
    return longer.length <= maxTopicsPerLink ? longer : [];
  };
}

/** Returns a name with its possible singular and plural forms, which may not be real words. */
const withSingularAndPlural = (name: string): string[] => [
  name,
  ...(name.endsWith('IES') ? [`${name.slice(0, -3)}Y`] : []),
  ...(name.endsWith('ES') ? [name.slice(0, -2)] : []),
  ...(name.endsWith('S') ? [name.slice(0, -1)] : []),
  `${name}S`,
  `${name}ES`,
  name.replace(/MAN$/, 'MEN'),
];

function readTopic(key: string, markup: string, versesAndParser: VersesAndParser) {
  const tokens = tokenizeMarkup(markup);
  const named = tokens.find(({ name }) => name === 'entryFree');
  const sections: { heading: string | null; entries: TopicEntry[] }[] = [];
  const lines = splitLines(tokens).map(({ level, hasItems, pieces }) => {
    const line = readTopicLine(pieces, versesAndParser);
    // A line with a list under it is the heading of a section, whose first entry has the references of the line.
    const isHeading = hasItems && line.text !== '';
    const isOutside = level === 'line' && !hasItems && sections.at(-1)?.heading !== null;
    if (isHeading || isOutside || sections.length === 0)
      sections.push({ heading: isHeading ? line.text : null, entries: [] });
    const text = isHeading ? null : line.text || null;
    const { references } = line;
    if (text !== null || references.length > 0) sections.at(-1)?.entries.push({ text, references });
    return line;
  });
  return {
    name: (named && readAttribute(named.attributes, 'n').trim()) || key,
    sections: sections.filter(({ heading, entries }) => heading !== null || entries.length > 0),
    links: lines.flatMap(({ links }) => links),
    referenceCount: lines.reduce((sum, { references }) => sum + references.length, 0),
    unresolved: lines.flatMap(({ unresolved }) => unresolved.map((reference) => ({ place: key, reference }))),
  };
}

/** Splits a topic into lines, at `<lb/>` and `<item>`. `hasItems` tells whether a list follows the line. */
function splitLines(tokens: readonly MarkupToken[]) {
  const lines: { level: 'line' | 'item'; hasItems: boolean; pieces: TopicPiece[] }[] = [];
  let link: { kind: 'reference'; osisRef: string } | { kind: 'see' } | null = null;
  for (const { kind, name, text, attributes } of tokens) {
    if (name === 'lb' || (name === 'item' && kind === 'open'))
      lines.push({ level: name === 'lb' ? 'line' : 'item', hasItems: false, pieces: [] });
    const last = lines.at(-1);
    if (name === 'list' && kind === 'open' && last) last.hasItems = true;
    if (name === 'ref') {
      const osisRef = readAttribute(attributes, 'osisRef');
      link = kind === 'close' ? null : osisRef === '' ? { kind: 'see' } : { kind: 'reference', osisRef };
    }
    if (kind === 'text') last?.pieces.push(link ? { ...link, text: text.trim() } : { kind: 'text', text });
  }
  return lines;
}

/** A phrase of a topical Bible, and the verses that it describes. */
export interface TopicPhrase {
  /** The phrase, such as "aaron: rod of: buds": the topic, the heading of the section and the entry. */
  readonly text: string;
  readonly topic: string;
  readonly references: readonly VerseSpan[];
}

const maxPhraseLength = 160;

/** Lists phrases that name verses, in order, without duplicates. Whole chapters say little about a single verse. */
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
        const text = words.replace(/\s+/g, ' ').slice(0, maxPhraseLength).toLowerCase();
        const phrase = phrases.get(text) ?? { text, topic: name, references: [] };
        phrase.references.push(...references);
        phrases.set(text, phrase);
      }
  return [...phrases.values()];
}

/** Lists other names: "ANXIETY: See CARE" makes "anxiety" a name of "care", if only "care" has phrases. */
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
