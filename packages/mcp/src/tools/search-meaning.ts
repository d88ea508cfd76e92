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
import { McpSearchMeaningDocument } from '../operations.generated';
import type { ServedTranslation } from '../tool';
import { defineTool, required, searchArguments, ToolError, textArgument } from '../tool';

export const searchMeaning = defineTool({
  name: 'search_meaning',
  title: 'Search the Bible by meaning',
  description:
    'Finds the verses nearest in meaning to a question, a situation or a theme, whatever their words: "how to deal with anxiety", "God as a shepherd". ' +
    'The question may be in English, Spanish or another language; the verses come in the chosen translation. Nearest first: check which verses really fit, because some verse is always nearest. ' +
    'If you know words of the verse use search_words. For a curated list of verses on a subject use look_up_topic.',
  input: {
    question: textArgument(200).describe('A question, situation or theme, at most 200 characters.'),
    ...searchArguments,
  },
  output: {
    verses: z.array(
      verseSchema.extend({
        similarity: z.number().nullable().describe('0 to 1. Compare values of one answer only: the order matters.'),
      }),
    ),
    nextPage: nextPageSchema,
    source: sourceSchema,
  },
  async run({ question, limit, ...args }, { client, signal, links, translations }) {
    const searched = searchedTranslation(await translations(), args.translation);
    const variables = { ...args, query: question, searched, first: limit };
    const data = await client.query(McpSearchMeaningDocument, variables, { signal });
    const page = required(data.searchVerses);
    const source = toSource(required(data.source));
    const verses = page.edges.flatMap(({ similarity, node: { inTranslation: verse } }) =>
      verse ? [{ ...toVerse(verse), similarity }] : [],
    );
    const [first] = verses;
    const nextPage = nextPageOf(page.pageInfo);
    const note = first
      ? pageNote(verses.length, null, nextPage)
      : `No verse of ${source.name} was found. Widen the books or the testament.`;
    const link = first ? links.passage(args.translation, first.reference) : links.service;
    return {
      lines: ['Nearest in meaning, nearest first:', '', ...verses.map(verseLine)],
      answer: { verses, nextPage, source, link, note },
    };
  },
});

/**
 * Returns the translation whose embeddings are searched: the requested translation, or else the
 * first translation with embeddings. All translations share one set of verse vectors.
 */
function searchedTranslation(translations: readonly ServedTranslation[], requested: string): string {
  const withEmbeddings = translations.filter(({ hasEmbeddings }) => hasEmbeddings);
  const [first] = withEmbeddings;
  if (!first) throw new ToolError('This service has no search by meaning. Use search_words or look_up_topic.');
  return withEmbeddings.some(({ identifier }) => identifier === requested) ? requested : first.identifier;
}
