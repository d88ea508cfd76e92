import { z } from 'zod';
import { passageNote, sourceSchema, toSource, toVerse, verseLine, verseSchema } from '../answer';
import { McpCrossReferencesDocument } from '../operations.generated';
import { defineTool, limitArgument, referenceArgument, required, translationArgument } from '../tool';

/** The maximum number of verses. Longer passages have more cross references than an answer can hold. */
const maxVerses = 5;
const maxLimit = 25;

export const findCrossReferences = defineTool({
  name: 'find_cross_references',
  title: 'Find cross references of a verse',
  description:
    'Returns the other places of the Bible that printed cross references, commentaries and topical Bibles set beside a verse, with their text and sources. ' +
    'Use it to interpret a verse by others, or to find where one verse quotes another. ' +
    'Give one verse, or a passage of at most five. For verses about a subject use look_up_topic.',
  input: {
    reference: referenceArgument,
    translation: translationArgument,
    limit: limitArgument(maxLimit).describe('The maximum number of cross references of each verse, from 1 to 25.'),
  },
  output: {
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
  },
  async run({ reference, translation, limit }, { client, signal, links }) {
    const variables = { reference, translation, first: limit };
    const data = await client.query(McpCrossReferencesDocument, variables, { signal });
    const passage = required(data.passage);
    const verses = passage.verses.slice(0, maxVerses).map((verse) => ({
      ...toVerse(verse),
      crossReferences: (verse.crossReferences ?? []).map(({ reference, verses, sources }) => ({
        reference,
        text: verses.map(({ text }) => text).join(' '),
        sources: sources.map(({ title }) => title),
      })),
    }));
    const [first] = passage.verses;
    const lines = verses.flatMap((verse) => [
      verseLine(verse),
      ...verse.crossReferences.map((found) => `- ${verseLine(found)} [${found.sources.join('; ')}]`),
    ]);
    const counts = verses.map(({ crossReferences }) => crossReferences.length);
    const answer = {
      verses,
      source: toSource(required(data.source)),
      link: first ? links.passage(translation, first.reference) : links.service,
      note: passageNote(passage.verses.length, counts.length) ?? noteOf(counts, limit),
    };
    return { lines, answer };
  },
});

function noteOf(counts: readonly number[], limit: number): string | null {
  if (counts.every((count) => count === 0)) return 'No cross references are known.';
  return limit < maxLimit && counts.includes(limit)
    ? 'There may be more cross references: call the tool again with a higher limit.'
    : null;
}
