import { z } from 'zod';
import { passageNote, sourceSchema, toSource, toVerse, verseLine, verseSchema } from '../answer';
import { McpOriginalDocument } from '../operations.generated';
import { defineTool, referenceArgument, required, translationArgument } from '../tool';

/** The maximum number of verses. A verse has about twenty words, each with its grammar. */
const maxVerses = 5;

const wordSchema = z.object({
  surface: z.string().describe('As written, with points and accents.'),
  transliteration: z.string(),
  lemma: z.string(),
  gloss: z.string().nullable(),
  grammar: z.string(),
  strongs: z.string().nullable(),
});

export const readOriginal = defineTool({
  name: 'read_original',
  title: 'Read the Hebrew or Greek of a verse',
  description:
    'Returns the Hebrew, Aramaic or Greek words of a verse in their order, each with its transliteration, lemma, gloss, grammar ("verb, Qal perfect, 3rd person masculine singular") and Strong\'s number. ' +
    'Use it for "what does the Greek of John 21:15 say?". Give one verse, or a passage of at most five. ' +
    "For all verses with a word use study_word with its Strong's number.",
  input: { reference: referenceArgument, translation: translationArgument },
  output: {
    verses: z.array(
      verseSchema.extend({
        originals: z
          .array(
            z.object({
              reference: z.string().describe("In the original text's own numbering, which differs in some Psalms."),
              text: z.string().describe('The title of the original text.'),
              attribution: z.string(),
              words: z.array(wordSchema),
            }),
          )
          .describe('The original verses that this verse renders. Empty if the original text lacks the verse.'),
      }),
    ),
    source: sourceSchema,
  },
  async run({ reference, translation }, { client, signal, links }) {
    const data = await client.query(McpOriginalDocument, { reference, translation }, { signal });
    const passage = required(data.passage);
    const verses = passage.verses.slice(0, maxVerses).map((verse) => ({
      ...toVerse(verse),
      originals: (verse.original ?? []).map(({ reference, text, words }) => ({
        reference,
        text: text.title,
        attribution: text.attribution,
        words: words.map(({ parsing, strongsNumber, ...word }) => ({
          ...word,
          grammar: parsing.description,
          strongs: strongsNumber,
        })),
      })),
    }));
    const lines = verses.flatMap((verse) => [
      verseLine(verse),
      ...verse.originals.flatMap(({ reference, text, attribution, words }) => [
        `${reference} in ${text} (${attribution})`,
        ...words.map((word) => `- ${lineOf(word)}`),
      ]),
    ]);
    const [first] = passage.verses;
    const hasWords = verses.some(({ originals }) => originals.length > 0);
    const answer = {
      verses,
      source: toSource(required(data.source)),
      link: first ? links.passage(translation, first.reference) : links.service,
      note:
        first && !hasWords
          ? 'The original texts lack these verses, or the service has no original texts.'
          : passageNote(passage.verses.length, verses.length),
    };
    return { lines, answer };
  },
});

const lineOf = ({ surface, transliteration, lemma, gloss, grammar, strongs }: z.infer<typeof wordSchema>): string =>
  [surface, `(${transliteration})`, gloss && `"${gloss}"`, `${grammar};`, lemma, strongs].filter(Boolean).join(' ');
