import { type MarkupToken, readAttribute, readDictionary, tokenizeMarkup } from '@lectern/corpus';
import { readTopicLine, type TopicLine, type TopicPiece } from './read-topic-line';
import { createTopicLinkResolver } from './resolve-topic-link';
import type { VerseSpan } from './standard-verse-spans';
import type { VersesAndParser } from './standard-verses-and-osis-parser';
import type { UnresolvedReference } from './unresolvable-reference-type';

/**
 * A line of a topic: its words, and the verses that it names. A line may lack the words or the
 * verses.
 */
export interface TopicEntry {
  readonly text: string | null;
  readonly references: readonly VerseSpan[];
}

/** Entries under a heading. Entries without a heading are in a section whose heading is null. */
export interface TopicSection {
  readonly heading: string | null;
  readonly entries: readonly TopicEntry[];
}

export interface Topic {
  /**
   * The name, such as "ANGEL (a spirit)". Among topics with the same name, the topic with the most
   * references keeps the name, and " (2)" is added to the names of the others.
   */
  readonly name: string;
  readonly sections: readonly TopicSection[];
  /**
   * The names of the other topics to which the topic links, each once, in the order of the links.
   */
  readonly seeAlso: readonly string[];
}

export interface TopicalBible {
  /** The topics in the order of the module, which is alphabetical. */
  readonly topics: readonly Topic[];
  readonly unresolved: readonly UnresolvedReference[];
  /** The links for which no topic was found. */
  readonly brokenLinks: readonly UnresolvedReference[];
}

interface DraftTopic {
  readonly name: string;
  readonly sections: readonly TopicSection[];
  readonly links: TopicLine['links'];
  readonly referenceCount: number;
}

/**
 * Reads Nave's Topical Bible from its SWORD module. Throws an error if the module cannot be read.
 */
export function readTopics(confFile: string, versesAndParser: VersesAndParser): TopicalBible {
  const unresolved: UnresolvedReference[] = [];
  const drafts = readDictionary(confFile).map(({ key, text }) => {
    const draft = readTopic(key, text, versesAndParser);
    unresolved.push(...draft.unresolved.map((reference) => ({ place: key, reference })));
    return draft;
  });
  const names = distinctNames(drafts);
  const resolveLink = createTopicLinkResolver(names);
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
  return { topics, unresolved, brokenLinks };
}

/**
 * Returns the names of the topics, with " (2)" added where another topic keeps the same name. The
 * first topic with the most references keeps it.
 */
function distinctNames(drafts: readonly DraftTopic[]): string[] {
  const largest = new Map<string, DraftTopic>();
  for (const draft of drafts) {
    const other = largest.get(draft.name);
    if (!other || other.referenceCount < draft.referenceCount) largest.set(draft.name, draft);
  }
  return drafts.map((draft) => (largest.get(draft.name) === draft ? draft.name : `${draft.name} (2)`));
}

function readTopic(
  key: string,
  markup: string,
  versesAndParser: VersesAndParser,
): DraftTopic & { unresolved: string[] } {
  const tokens = tokenizeMarkup(markup);
  const named = tokens.find(({ name }) => name === 'entryFree');
  const sections: { heading: string | null; entries: TopicEntry[] }[] = [];
  const lines = splitLines(tokens).map(({ level, hasItems, pieces }) => {
    const line = readTopicLine(pieces, versesAndParser);
    const entry: TopicEntry = { text: line.text || null, references: line.references };
    // A line with items under it is the heading of a section. The references of that line become
    // the first entry of the section.
    const isHeading = hasItems && line.text !== '';
    const isOutside = level === 'line' && !hasItems && sections.at(-1)?.heading !== null;
    if (isHeading || isOutside || sections.length === 0)
      sections.push({ heading: isHeading ? line.text : null, entries: [] });
    const own = isHeading ? { ...entry, text: null } : entry;
    if (own.text !== null || own.references.length > 0) sections.at(-1)?.entries.push(own);
    return line;
  });
  return {
    name: (named && readAttribute(named.attributes, 'n').trim()) || key,
    sections: sections.filter(({ heading, entries }) => heading !== null || entries.length > 0),
    links: lines.flatMap(({ links }) => links),
    referenceCount: lines.reduce((sum, { references }) => sum + references.length, 0),
    unresolved: lines.flatMap(({ unresolved }) => unresolved),
  };
}

interface Line {
  readonly level: 'line' | 'item';
  /** Whether a list of items follows the line. */
  hasItems: boolean;
  readonly pieces: TopicPiece[];
}

/** Splits the markup of a topic into lines, at `<lb/>` and `<item>`. */
function splitLines(tokens: readonly MarkupToken[]): Line[] {
  const lines: Line[] = [];
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
