import { z } from 'zod';
import {
  answerText,
  linkSchema,
  nextPageSchema,
  noteSchema,
  pageNote,
  sourceSchema,
  toSource,
  toVerse,
  verseLine,
  verseSchema,
} from '../answer';
import { McpSearchMeaningDocument } from '../operations.generated';
import type { ServedTranslation } from '../tool';
import {
  afterArgument,
  booksArgument,
  defineTool,
  limitArgument,
  required,
  ToolError,
  testamentArgument,
  translationArgument,
} from '../tool';

export const searchMeaning = defineTool({
  name: 'search_meaning',
  title: 'Search the Bible by meaning',
  description:
    'Finds the verses nearest in meaning to a question, a situation or a theme, whatever their words: "how to deal with anxiety", "God as a shepherd". ' +
    'The question may be in English, Spanish or another language; the verses come in the chosen translation. Nearest first: check which verses really fit, because some verse is always nearest. ' +
    'If you know words of the verse use search_words. For a curated list of verses on a subject use look_up_topic.',
  input: z.strictObject({
    question: z.string().trim().min(1).max(200).describe('A question, situation or theme, at most 200 characters.'),
    translation: translationArgument,
    books: booksArgument,
    testament: testamentArgument,
    limit: limitArgument(10),
    after: afterArgument,
  }),
  output: z.object({
    verses: z.array(
      verseSchema.extend({
        similarity: z.number().nullable().describe('0 to 1. Compare values of one answer only: the order matters.'),
      }),
    ),
    nextPage: nextPageSchema,
    source: sourceSchema,
    link: linkSchema,
    note: noteSchema,
  }),
  async run({ question, translation, books, testament, limit, after }, { client, signal, links, translations }) {
    const searched = searchedTranslation(await translations(), translation);
    const variables = { query: question, searched, translation, books, testament, first: limit, after };
    const data = await client.query(McpSearchMeaningDocument, variables, { signal });
    const page = required(data.searchVerses);
    const source = toSource(required(data.source));
    const found = page.edges.flatMap(({ similarity, node: { inTranslation: verse } }) =>
      verse ? [{ similarity, verse }] : [],
    );
    const verses = found.map(({ similarity, verse }) => ({ ...toVerse(verse), similarity }));
    const nextPage = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    const note =
      verses.length === 0
        ? `No verse of ${source.name} was found. Widen the books or the testament.`
        : pageNote(verses.length, null, nextPage);
    const first = found[0]?.verse;
    const link = first ? links.passage(translation, first.reference) : links.service;
    return {
      text: answerText(['Nearest in meaning, nearest first:', '', ...verses.map(verseLine)], {
        sources: [source],
        link,
        note,
      }),
      structured: { verses, nextPage, source, link, note },
    };
  },
});

/**
 * Returns the translation whose embeddings are searched: the requested translation, or else the
 * first translation with embeddings. The found verses are returned in the requested translation in
 * both cases. All translations share one set of verse vectors.
 */
function searchedTranslation(translations: readonly ServedTranslation[], requested: string): string {
  const withEmbeddings = translations.filter(({ hasEmbeddings }) => hasEmbeddings);
  const [first] = withEmbeddings;
  if (!first) throw new ToolError('This service has no search by meaning. Use search_words or look_up_topic.');
  return withEmbeddings.some(({ identifier }) => identifier === requested) ? requested : first.identifier;
}
