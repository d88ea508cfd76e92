import { z } from 'zod';
import { answerText, linkSchema, noteSchema, sourceSchema, toSource, toVerse, verseLine, verseSchema } from '../answer';
import { McpCrossReferencesDocument } from '../operations.generated';
import { defineTool, limitArgument, referenceArgument, required, translationArgument } from '../tool';

/**
 * The maximum number of verses in an answer. Longer passages have more cross references than an
 * answer can hold.
 */
const maxVerses = 5;

export const findCrossReferences = defineTool({
  name: 'find_cross_references',
  title: 'Find cross references of a verse',
  description:
    'Returns the other places of the Bible that printed cross references, commentaries and topical Bibles set beside a verse, with their text and sources. ' +
    'Use it to interpret a verse by others, or to find where one verse quotes another. ' +
    'Give one verse, or a passage of at most five. For verses about a subject use look_up_topic.',
  input: z.strictObject({
    reference: referenceArgument,
    translation: translationArgument,
    limit: limitArgument(10, 25).describe('The maximum number of cross references of each verse, from 1 to 25.'),
  }),
  output: z.object({
    verses: z.array(
      verseSchema.extend({
        crossReferences: z.array(
          z.object({
            reference: z.string(),
            text: z.string().describe('The text of its first two verses.'),
            sources: z.array(z.string()),
          }),
        ),
      }),
    ),
    source: sourceSchema,
    link: linkSchema,
    note: noteSchema,
  }),
  async run({ reference, translation, limit }, { client, signal, links }) {
    const variables = { reference, translation, first: limit };
    const data = await client.query(McpCrossReferencesDocument, variables, { signal });
    const passage = required(data.passage);
    const source = toSource(required(data.source));
    const verses = passage.verses.slice(0, maxVerses).map((verse) => ({
      ...toVerse(verse),
      crossReferences: (verse.crossReferences ?? []).map(({ reference, verses, sources }) => ({
        reference,
        text: verses.map(({ text }) => text).join(' '),
        sources: sources.map(({ title }) => title),
      })),
    }));
    const note = noteOf(passage.verses.length, verses, limit);
    const [first] = passage.verses;
    const link = first ? links.passage(translation, first.reference) : links.service;
    const lines = verses.flatMap((verse) => [
      verseLine(verse),
      ...verse.crossReferences.map((found) => `- ${verseLine(found)} [${found.sources.join('; ')}]`),
    ]);
    return {
      text: answerText(lines, { sources: [source], link, note }),
      structured: { verses, source, link, note },
    };
  },
});

function noteOf(
  verseCount: number,
  verses: readonly { crossReferences: readonly unknown[] }[],
  limit: number,
): string | null {
  if (verseCount === 0) return 'The translation has no verse at this reference.';
  if (verseCount > verses.length)
    return `The passage has ${verseCount} verses, and only the first ${verses.length} are answered. Ask for the others in further calls.`;
  if (verses.every(({ crossReferences }) => crossReferences.length === 0)) return 'No cross references are known.';
  if (limit < 25 && verses.some(({ crossReferences }) => crossReferences.length === limit))
    return 'There may be more cross references: call the tool again with a higher limit.';
  return null;
}
