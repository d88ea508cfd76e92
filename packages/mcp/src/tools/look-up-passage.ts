import { z } from 'zod';
import {
  referenceOfVerses,
  restNote,
  sourceSchema,
  takeWithin,
  toSource,
  toVerse,
  verseLine,
  verseSchema,
} from '../answer';
import { McpPassageDocument } from '../operations.generated';
import { defineTool, referenceArgument, required, translationArgument } from '../tool';

export const lookUpPassage = defineTool({
  name: 'look_up_passage',
  title: 'Look up a Bible passage',
  description:
    'Returns the exact text of a Bible passage by its reference: a verse, several verses, a chapter, or a list of references, ' +
    'or by a well-known English or Spanish name: "the Sermon on the Mount", "la zarza ardiente". ' +
    'Use it before you quote the Bible, and copy the text from the answer, never from memory. ' +
    'If you have words but no reference, use search_words. For several translations side by side, use compare_translations.',
  input: { reference: referenceArgument, translation: translationArgument },
  output: {
    reference: z.string().describe("The normalized reference in the translation's language."),
    verses: z.array(verseSchema),
    source: sourceSchema,
  },
  async run({ reference, translation }, { client, signal, links }) {
    const data = await client.query(McpPassageDocument, { reference, translation }, { signal });
    const passage = required(data.passage);
    const source = toSource(required(data.source));
    const shown = takeWithin(passage.verses, ({ text }) => text.length, 90);
    const note =
      shown.length === 0
        ? `${source.name} has no verse at this reference. Look up the whole chapter to see its verses, or use search_words if you know some words.`
        : restNote(passage.verses, shown.length, 'look_up_passage');
    const link = shown.length > 0 ? links.passage(translation, referenceOfVerses(shown)) : links.service;
    const verses = shown.map(toVerse);
    return {
      lines: [passage.reference, '', ...verses.map(verseLine)],
      answer: { reference: passage.reference, verses, source, link, note },
    };
  },
});
