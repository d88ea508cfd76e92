import { z } from 'zod';
import {
  nextPageOf,
  nextPageSchema,
  pageNote,
  sourceSchema,
  toSource,
  toVerse,
  verseLine,
  verseSchema,
} from '../answer';
import { McpSearchBibleDocument } from '../operations.generated';
import { defineTool, required, searchArguments, textArgument } from '../tool';

export const searchBible = defineTool({
  name: 'search_bible',
  title: 'Search the Bible',
  description:
    'Finds the verses that a person means: a quotation as remembered, a story, a question, a situation or a theme ("how to deal with anxiety"). Ranks words, meaning and topics together. ' +
    'The query may be in English, Spanish or another language, and quote another translation; the verses come in the chosen translation. Best first: check which verses really fit. ' +
    'To count verses that contain exact words use search_words. For a curated list of verses on a subject use look_up_topic.',
  input: {
    query: textArgument(200).describe('Remembered words, a question, a situation or a theme, at most 200 characters.'),
    ...searchArguments,
  },
  output: {
    verses: z.array(
      verseSchema.extend({
        matchedBy: z
          .array(z.string())
          .describe(
            'What found the verse, strongest first: WORDS, MEANING, TOPIC, NAMED_PASSAGE, REFERENCE, CARE (a verse of comfort for a person in distress), UNDERSTOOD (the query is a saying or an occasion).',
          ),
      }),
    ),
    understood: z
      .object({ kind: z.string(), need: z.string().nullable(), note: z.string().nullable() })
      .nullable()
      .describe(
        'What the query was understood to be: REFERENCE, SAYING (the note tells whether the Bible has it), NAMED_PASSAGE, OCCASION, or DISTRESS: then answer gently, and name people who help.',
      ),
    nextPage: nextPageSchema,
    source: sourceSchema,
  },
  async run({ limit, ...args }, { client, signal, links }) {
    const data = await client.query(McpSearchBibleDocument, { ...args, first: limit }, { signal });
    const page = required(data.searchVerses);
    const source = toSource(required(data.source));
    const verses = page.edges.map(({ matchedBy, node }) => ({ ...toVerse(node), matchedBy: [...matchedBy] }));
    const { kind, need = null, saying } = page.understood ?? {};
    const understood = kind === undefined ? null : { kind, need, note: saying?.note ?? null };
    const [first] = verses;
    const nextPage = nextPageOf(page.pageInfo);
    const note = first
      ? pageNote(verses.length, null, nextPage)
      : `No verse of ${source.name} was found. Use other words, or widen the books or the testament.`;
    const link = first ? links.passage(args.translation, first.reference) : links.service;
    return {
      lines: [
        ...(saying ? [saying.note, ''] : []),
        first ? 'Best first:' : 'Nothing was found.',
        '',
        ...verses.map(verseLine),
      ],
      answer: { verses, understood, nextPage, source, link, note },
    };
  },
});
