import { ResponseError } from '@lectern/client';
import { z } from 'zod';
import { answerText, linkSchema, noteSchema } from '../answer';
import type { McpTopicQuery } from '../operations.generated';
import { McpTopicDocument } from '../operations.generated';
import { defineTool } from '../tool';

type Topic = NonNullable<McpTopicQuery['best']>['edges'][number]['node'];

/** How many references an answer holds. A reference takes about six tokens. */
const maxReferences = 150;

const entrySchema = z.object({
  heading: z.string().nullable(),
  text: z.string().nullable().describe('What the references say about the topic.'),
  references: z.array(z.string()),
});

export const lookUpTopic = defineTool({
  name: 'look_up_topic',
  title: 'Look up a topic of the Bible',
  description:
    'Returns the entries of a topical Bible (Nave\'s) on a subject, person, place or event: "marriage", "David", "baptism", with the references that belong to each entry, and the names of related topics. ' +
    'Use it for what the Bible says on a subject, as an editor arranged it. It returns references without text: pass several of them to look_up_passage at once, with semicolons between. ' +
    'For a question in your own words use search_meaning.',
  input: z.strictObject({
    topic: z.string().trim().min(1).max(100).describe('The subject in English, one or a few words.'),
    skip: z
      .int()
      .min(0)
      .max(100_000)
      .default(0)
      .describe('How many references to skip: for the rest of a long topic, as the note of the answer says.'),
  }),
  output: z.object({
    topic: z.string().nullable().describe('The name of the topic. Null if no topic fits.'),
    verseCount: z.int(),
    entries: z.array(entrySchema),
    related: z.array(z.string()).describe('Names of other topics that you can look up.'),
    sourceTitle: z.string().nullable(),
    attribution: z.string().nullable(),
    link: linkSchema,
    note: noteSchema,
  }),
  async run({ topic: name, skip }, { client, signal, links }) {
    // `execute` returns data beside errors: if the embedding model is unavailable, only the topics
    // near in meaning are missing.
    const { data, errors, requestId } = await client.execute(McpTopicDocument, { topic: name }, { signal });
    if (!data?.best || !data.topics) throw new ResponseError(errors, data, { requestId, status: 200 });
    const topic = data.best.edges[0]?.node ?? null;
    const named = data.topics.edges.map(({ node }) => node.name);
    const near = (data.semanticTopics ?? []).map(({ topic }) => topic.name);
    const related = [...new Set([...named, ...(topic?.seeAlso ?? []).map(({ name }) => name), ...near])].filter(
      (other) => other !== topic?.name,
    );
    const { entries, note } = topic
      ? takeEntries(topic, skip)
      : { entries: [], note: 'No topic has this name. Look up one of the related topics, or use search_meaning.' };
    const structured = {
      topic: topic?.name ?? null,
      verseCount: topic?.verseCount ?? 0,
      entries,
      related,
      sourceTitle: topic?.source.title ?? null,
      attribution: topic ? [topic.source.author, topic.source.licence].filter(Boolean).join('. ') : null,
      link: topic ? links.topic(topic.name) : links.service,
      note,
    };
    return { structured, text: answerText(linesOf(structured), structured) };
  },
});

interface Entry {
  readonly heading: string | null;
  readonly text: string | null;
  readonly references: string[];
}

/**
 * Returns the entries after the first `skip` references, with at most `maxReferences` references
 * together.
 */
function takeEntries({ name, sections }: Topic, skip: number): { entries: Entry[]; note: string | null } {
  const all: Entry[] = sections.flatMap(({ heading, entries }) =>
    entries.map(({ text, references }) => ({
      heading,
      text,
      references: references.map(({ reference }) => reference),
    })),
  );
  const total = all.reduce((sum, { references }) => sum + references.length, 0);
  let position = 0;
  const entries: Entry[] = [];
  for (const entry of all) {
    const start = position;
    position += entry.references.length;
    const references = entry.references.slice(Math.max(0, skip - start), Math.max(0, skip + maxReferences - start));
    if (references.length > 0) entries.push({ ...entry, references });
  }
  const end = Math.min(total, skip + maxReferences);
  if (total === 0)
    return { entries, note: 'The topic has no references of its own. Look up one of the related topics.' };
  if (entries.length === 0) return { entries, note: `The topic has only ${total} references: call with a lower skip.` };
  return {
    entries,
    note:
      end === total
        ? null
        : `These are the references ${skip + 1} to ${end} of ${total}. For more, call look_up_topic with topic: "${name}" and skip: ${end}.`,
  };
}

interface TopicAnswer {
  readonly topic: string | null;
  readonly verseCount: number;
  readonly entries: readonly Entry[];
  readonly related: readonly string[];
  readonly sourceTitle: string | null;
  readonly attribution: string | null;
}

const linesOf = ({ topic, verseCount, entries, related, sourceTitle, attribution }: TopicAnswer): string[] => [
  ...(topic === null ? [] : [`${topic}: ${verseCount} ${verseCount === 1 ? 'verse' : 'verses'}.`]),
  ...(entries.length === 0 ? [] : ['']),
  ...entries.flatMap((entry, index) => [
    ...(entry.heading === null || entry.heading === entries[index - 1]?.heading ? [] : [`${entry.heading}:`]),
    `- ${entry.text === null ? '' : `${entry.text}: `}${entry.references.join('; ')}`,
  ]),
  ...(related.length === 0 ? [] : ['', `Related topics: ${related.join('; ')}.`]),
  ...(sourceTitle === null ? [] : ['', `Source: ${sourceTitle}. ${attribution}.`]),
];
