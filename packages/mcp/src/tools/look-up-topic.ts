import { ResponseError } from '@lectern/client';
import { z } from 'zod';
import { McpTopicDocument, type McpTopicQuery } from '../operations.generated';
import { defineTool, skipArgument, textArgument } from '../tool';

type Topic = NonNullable<McpTopicQuery['best']>['edges'][number]['node'];

/** The maximum number of references in an answer. A reference takes about six tokens. */
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
    'For a question in your own words use search_bible.',
  input: {
    topic: textArgument(100).describe('The subject in English, one or a few words.'),
    skip: skipArgument.describe(
      'How many references to skip: for the rest of a long topic, as the note of the answer says.',
    ),
  },
  output: {
    topic: z.string().nullable().describe('The name of the topic. Null if no topic fits.'),
    verseCount: z.int(),
    entries: z.array(entrySchema),
    related: z.array(z.string()).describe('Names of other topics that you can look up.'),
    sourceTitle: z.string().nullable(),
    attribution: z.string().nullable(),
  },
  async run({ topic: name, skip }, { client, signal, links }) {
    // Without the embedding model, only the topics near in meaning are missing, beside an error.
    const { data, errors, requestId } = await client.execute(McpTopicDocument, { topic: name }, { signal });
    if (!data?.best || !data.topics) throw new ResponseError(errors, data, { requestId, status: 200 });
    const topic = data.best.edges[0]?.node ?? null;
    const others = [
      ...data.topics.edges.map(({ node }) => node.name),
      ...(topic?.seeAlso ?? []).map(({ name }) => name),
      ...(data.semanticTopics ?? []).map(({ topic }) => topic.name),
    ];
    const related = [...new Set(others)].filter((other) => other !== topic?.name);
    const entries = topic ? takeEntries(topic, skip) : [];
    const attribution = topic && [topic.source.author, topic.source.licence].filter(Boolean).join('. ');
    const answer = {
      topic: topic?.name ?? null,
      verseCount: topic?.verseCount ?? 0,
      entries,
      related,
      sourceTitle: topic?.source.title ?? null,
      attribution,
      link: topic ? links.topic(topic.name) : links.service,
      note: topic
        ? noteOf(topic, skip, entries.length)
        : 'No topic has this name. Look up one of the related topics, or use search_bible.',
    };
    const lines = [
      ...(topic ? [`${topic.name}: ${topic.verseCount} ${topic.verseCount === 1 ? 'verse' : 'verses'}.`] : []),
      ...(entries.length === 0 ? [] : ['']),
      ...entries.flatMap((entry, index) => [
        ...(entry.heading === null || entry.heading === entries[index - 1]?.heading ? [] : [`${entry.heading}:`]),
        `- ${entry.text === null ? '' : `${entry.text}: `}${entry.references.join('; ')}`,
      ]),
      ...(related.length === 0 ? [] : ['', `Related topics: ${related.join('; ')}.`]),
      ...(topic ? ['', `Source: ${topic.source.title}. ${attribution}.`] : []),
    ];
    return { lines, answer };
  },
});

/** Returns the entries of a topic with at most `maxReferences` references, without the first `skip` references. */
function takeEntries({ sections }: Topic, skip: number): z.output<typeof entrySchema>[] {
  let position = 0;
  return sections
    .flatMap(({ heading, entries }) => entries.map((entry) => ({ heading, ...entry })))
    .flatMap(({ heading, text, references: all }) => {
      const [from, to] = [skip - position, skip + maxReferences - position];
      position += all.length;
      const references = all.slice(Math.max(0, from), Math.max(0, to)).map(({ reference }) => reference);
      return references.length > 0 ? [{ heading, text, references }] : [];
    });
}

function noteOf({ name, sections }: Topic, skip: number, entryCount: number): string | null {
  const total = sections.flatMap(({ entries }) => entries.flatMap(({ references }) => references)).length;
  const end = Math.min(total, skip + maxReferences);
  if (total === 0) return 'The topic has no references of its own. Look up one of the related topics.';
  if (entryCount === 0) return `The topic has only ${total} references: call with a lower skip.`;
  if (end === total) return null;
  return `These are the references ${skip + 1} to ${end} of ${total}. For more, call look_up_topic with topic: "${name}" and skip: ${end}.`;
}
