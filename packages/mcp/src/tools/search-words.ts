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
import { McpSearchWordsDocument, type McpSearchWordsQuery } from '../operations.generated';
import { defineTool, required, searchArguments, textArgument } from '../tool';

type SearchPage = NonNullable<McpSearchWordsQuery['searchVerses']>;

export const searchWords = defineTool({
  name: 'search_words',
  title: 'Search words in the Bible',
  description:
    'Finds the verses that contain words, best first, with the total count and the counts by book. Case, accents and inflections are ignored; "words in double quotes" are an exact phrase. ' +
    'Use it to count where words occur, alone or together. ' +
    'For a remembered quotation, a question or a theme use search_bible. For the usage of one word use study_word. To check whether a quotation is right use check_quotation.',
  input: {
    query: textArgument(200).describe('Words in the language of the translation, at most 200 characters.'),
    ...searchArguments,
  },
  output: {
    totalCount: z.int().describe('How many verses match, on all pages.'),
    verses: z.array(verseSchema),
    books: z
      .array(z.object({ book: z.string(), verses: z.int() }))
      .describe('How many of the matching verses are in each book.'),
    leftOut: z
      .array(z.string())
      .nullable()
      .describe('Words of the query that were left out, because no verse has all words.'),
    correctedQuery: z
      .string()
      .nullable()
      .describe('The corrected query that was searched, if the query finds nothing.'),
    suggestion: z.string().nullable().describe('A corrected query, if no verse has all words.'),
    nextPage: nextPageSchema,
    source: sourceSchema,
  },
  async run({ limit, ...args }, { client, signal, links }) {
    const data = await client.query(McpSearchWordsDocument, { ...args, first: limit }, { signal });
    const page = required(data.searchVerses);
    const { totalCount, suggestion, correctedQuery, relaxed } = page;
    const verses = page.edges.map(({ node }) => toVerse(node));
    const nextPage = nextPageOf(page.pageInfo);
    const [first] = verses;
    const answer = {
      totalCount,
      verses,
      books: page.facets.byBook.map(({ bookName, count }) => ({ book: bookName, verses: count })),
      leftOut: relaxed && [...relaxed],
      correctedQuery,
      suggestion,
      nextPage,
      source: toSource(required(data.source)),
      link: first ? links.words(args.translation, args.query, first.reference) : links.service,
      note: [relaxedNote(page), pageNote(verses.length, totalCount, nextPage)].filter(Boolean).join(' ') || null,
    };
    return { lines: [headOf(page), '', ...verses.map(verseLine)], answer };
  },
});

function headOf({ totalCount, relaxed, facets }: SearchPage): string {
  const verses = totalCount === 1 ? 'verse has' : 'verses have';
  const counts = facets.byBook.map(({ bookName, count }) => `${bookName} ${count}`).join(', ');
  const words = relaxed ? 'some of the words' : 'the words';
  return `${totalCount} ${verses} ${words}${facets.byBook.length > 1 ? `: ${counts}` : ''}.`;
}

function relaxedNote({ relaxed, suggestion, correctedQuery, totalCount }: SearchPage): string | null {
  if (correctedQuery !== null) return `Nothing was found as typed. These verses are for: ${correctedQuery}.`;
  const suggested = suggestion === null ? '' : ` Did you mean: ${suggestion}?`;
  if (relaxed) return `No verse has all words. Left out: ${relaxed.join(', ')}.${suggested}`;
  if (totalCount > 0 || suggestion !== null) return suggested.trim() || null;
  return 'No verse has these words. Try other words, another translation, or search_bible.';
}
