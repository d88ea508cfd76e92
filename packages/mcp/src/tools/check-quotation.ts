import { z } from 'zod';
import { referenceOfVerses, sourceSchema, toSource, toVerse, verseLine, verseSchema } from '../answer';
import { McpCheckQuotationDocument } from '../operations.generated';
import { defineTool, referenceArgument, required, textArgument, translationArgument } from '../tool';

const maxGivenText = 600;

const explanations = {
  EXACT: 'Exact: these are the words of the verses.',
  ALTERED: 'Altered: these are nearly the words of the verses, and some differ.',
  OTHER_TRANSLATION: 'The words are those of another translation than the named one.',
  OTHER_PLACE: 'The words are not from the given reference, but from these verses.',
  SAYING_NOT_IN_BIBLE: 'No verse has such words: it is a saying that people quote as Scripture.',
  NOT_FOUND: 'Not found: no verse of the compared translations has such words.',
} as const;

const output = {
  verdict: z.enum(Object.keys(explanations) as [keyof typeof explanations]),
  explanation: z.string().describe('The verdict in a sentence.'),
  reference: z.string().nullable().describe('Where the words are from. Null if not found.'),
  bibleText: z.string().nullable().describe('The text of these verses.'),
  wordsBefore: z
    .string()
    .describe('What these verses say before the quoted words. Empty if the quotation begins with the verse.'),
  wordsAfter: z
    .string()
    .describe('What these verses say after the quoted words. Empty if the quotation ends with the verse.'),
  givenReferenceText: z
    .string()
    .nullable()
    .describe('The text of the given reference, if the words are not found there; otherwise null.'),
  differences: z
    .array(z.object({ bible: z.string(), quotation: z.string() }))
    .describe('The words that differ, in their order. An empty text means that words are missing there.'),
  saying: z
    .object({ note: z.string(), nearestVerses: z.array(verseSchema) })
    .nullable()
    .describe('Not null if the words are a well-known saying. The note tells whether the Bible has it.'),
  source: sourceSchema,
};

export const checkQuotation = defineTool({
  name: 'check_quotation',
  title: 'Check a Bible quotation',
  description:
    'Checks whether words are quoted rightly from the Bible: finds the nearest verse, compares it word by word, and gives a verdict: EXACT, ALTERED (words differ), OTHER_TRANSLATION, OTHER_PLACE, SAYING_NOT_IN_BIBLE or NOT_FOUND. ' +
    'It names sayings that are often quoted as Scripture and are not, with the nearest verses. ' +
    'With a reference it also says whether the words are from there. Case and punctuation do not count, and "..." marks words left out. ' +
    'Use it for "is this verse quoted rightly?" and "is this in the Bible?".',
  input: {
    quotation: textArgument(1_500)
      .min(3)
      .describe('The quoted words, without the reference, at most 1,500 characters (about eight verses).'),
    reference: referenceArgument
      .optional()
      .describe('The reference that the quotation is said to be from, if there is one.'),
    translation: translationArgument,
  },
  output,
  async run({ quotation, reference, translation }, { client, signal, links }) {
    const given = { reference: reference ?? null, given: reference ?? '', hasReference: reference !== undefined };
    const variables = { text: quotation, translation, ...given };
    const data = await client.query(McpCheckQuotationDocument, variables, { signal });
    const { verdict, verses, differences, before, after, saying, ...check } = required(data.checkQuotation);
    const source = toSource(required(check.translation));
    const found = verses.length > 0 ? referenceOfVerses(verses) : null;
    const isThere = verdict === 'EXACT' || verdict === 'ALTERED';
    const givenText = reference === undefined || isThere ? null : textOf(required(data.passage).verses);
    const answer = {
      verdict,
      explanation: explanations[verdict],
      reference: found,
      bibleText: found && textOf(verses),
      wordsBefore: before,
      wordsAfter: after,
      givenReferenceText: givenText && shorten(givenText, maxGivenText),
      differences: [...differences],
      saying: saying && { note: saying.note, nearestVerses: saying.nearest.map(toVerse) },
      source,
      link: found ? links.passage(source.identifier, found) : links.service,
      note:
        isThere && (before !== '' || after !== '')
          ? 'The quotation is only a part of the verses: check that the words before and after do not change its meaning.'
          : null,
    };
    return { lines: linesOf(answer, reference), answer };
  },
});

const textOf = (verses: readonly { readonly text: string }[]): string => verses.map(({ text }) => text).join(' ');

const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/\s\S*$/, '')} ...`;

const linesOf = (answer: z.output<z.ZodObject<typeof output>>, reference: string | undefined): string[] => [
  ...(answer.saying === null ? [] : [answer.saying.note, ...answer.saying.nearestVerses.map(verseLine), '']),
  answer.explanation,
  ...(answer.bibleText === null ? [] : ['', `${answer.reference}  ${answer.bibleText}`]),
  ...answer.differences.map(({ bible, quotation }) => `- Bible: ${quote(bible)}; quotation: ${quote(quotation)}`),
  ...(answer.wordsBefore === '' ? [] : [`Before the quoted words: ${quote(answer.wordsBefore)}`]),
  ...(answer.wordsAfter === '' ? [] : [`After the quoted words: ${quote(answer.wordsAfter)}`]),
  ...(answer.givenReferenceText === null ? [] : [`${reference} says: ${quote(answer.givenReferenceText)}`]),
];

const quote = (words: string): string => (words === '' ? '(nothing)' : `"${words}"`);
