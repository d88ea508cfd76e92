import { findMisquotation } from '@lectern/canon';
import { z } from 'zod';
import {
  type NumberedVerse,
  referenceOfVerses,
  sourceSchema,
  toSource,
  toVerse,
  verseLine,
  verseSchema,
} from '../answer';
import { McpCheckQuotationDocument, type McpCheckQuotationQuery } from '../operations.generated';
import { findWords, type WordMatch } from '../quotation';
import {
  defaultTranslation,
  defineTool,
  maxTranslations,
  optionalTranslations,
  referenceArgument,
  required,
  ToolError,
  translationIdentifier,
} from '../tool';

/** The minimum share of equal words for the verdict `close`. */
const minCloseSimilarity = 0.7;
/** The minimum share of equal words for the verdict `different`. With a smaller share, the verdict is `not_found`. */
const minFoundSimilarity = 0.55;
/** The minimum number of equal words, unless all words are equal. One or two equal words may be chance. */
const minCommonWords = 3;

/** The maximum number of verses of the given reference that are compared, beside the verses that a search finds. */
const maxGivenVerses = 60;

/** The maximum length of the given reference's text in the answer, in characters. */
const maxGivenText = 600;

const verdicts = ['exact', 'close', 'different', 'not_found'] as const;
type Verdict = (typeof verdicts)[number];

const output = {
  verdict: z.enum(verdicts),
  explanation: z.string().describe('The verdict in a sentence.'),
  reference: z.string().nullable().describe('Where the words are from. Null if not found.'),
  bibleText: z.string().nullable().describe('The text of these verses.'),
  wordsBefore: z
    .string()
    .describe('What these verses say before the quoted words. Empty if the quotation begins with the verse.'),
  wordsAfter: z
    .string()
    .describe('What these verses say after the quoted words. Empty if the quotation ends with the verse.'),
  referenceIsRight: z
    .boolean()
    .nullable()
    .describe('Whether the words are from the given reference. Null if none was given.'),
  givenReferenceText: z
    .string()
    .nullable()
    .describe('The text of the given reference, if the words are not from there; otherwise null.'),
  differences: z
    .array(z.object({ bible: z.string(), quotation: z.string() }))
    .describe('The words that differ, in their order. An empty text means that words are missing there.'),
  misquotation: z
    .object({ message: z.string(), nearestVerses: z.array(verseSchema) })
    .nullable()
    .describe(
      'Not null if the words are a saying that is often quoted as Scripture, and is not in the Bible or not in these words.',
    ),
  checkedTranslations: z.array(z.string()),
  source: sourceSchema.nullable(),
};

export const checkQuotation = defineTool({
  name: 'check_quotation',
  title: 'Check a Bible quotation',
  description:
    'Checks whether words are quoted rightly from the Bible: finds the nearest verse, compares it word by word, and gives a verdict: exact, close (a few words differ), different, or not_found (no verse has such words). ' +
    'It names sayings that are often quoted as Scripture and are not, with the nearest verses. ' +
    'With a reference it also says whether the words are from there. Case and punctuation do not count, and "..." marks words left out. ' +
    'Use it for "is this verse quoted rightly?" and "is this in the Bible?".',
  input: {
    quotation: z
      .string()
      .trim()
      .min(3)
      .max(1_500)
      .describe('The quoted words, without the reference, at most 1,500 characters (about eight verses).'),
    reference: referenceArgument
      .optional()
      .describe('The reference that the quotation is said to be from, if there is one.'),
    translation: translationIdentifier
      .optional()
      .describe(
        'Identifier of the translation that is said to be quoted. Leave it out to compare with up to five translations.',
      ),
  },
  output,
  async run({ quotation, reference, translation }, { client, signal, links, translations }) {
    const served = await translations();
    const checked = checkedTranslations(
      served.map(({ identifier }) => identifier),
      translation,
    );
    const misquotation = findMisquotation(quotation);
    const variables = {
      query: searchText(quotation),
      nearest: misquotation?.references ?? '',
      isMisquotation: misquotation !== null,
      reference: reference ?? '',
      hasReference: reference !== undefined,
      ...optionalTranslations(checked),
    };
    const data = await client.query(McpCheckQuotationDocument, variables, { signal });
    const given = reference === undefined ? null : required(data.passage).verses;
    const match = findMatch(candidatesOf(data, checked, given), quotation, given);
    const verdict = verdictOf(match);
    const referenceIsRight = given && match !== null && isInside(match, given);
    const source = served.find(({ identifier }) => identifier === match?.translation);
    const found = match && `${referenceOfVerses(match.verses)} in the ${source?.name} (${match.translation})`;
    const answer = {
      verdict,
      explanation: explain(verdict, match, referenceIsRight === false ? `${found}, not of ${reference}` : found),
      reference: match && referenceOfVerses(match.verses),
      bibleText: match && textOf(match.verses),
      wordsBefore: match?.words.before ?? '',
      wordsAfter: match?.words.after ?? '',
      referenceIsRight,
      givenReferenceText: referenceIsRight === false && given ? shorten(textOf(given), maxGivenText) : null,
      differences: match ? [...match.words.differences] : [],
      misquotation: misquotation && {
        message: misquotation.message,
        nearestVerses: required(data.nearest).verses.map(toVerse),
      },
      checkedTranslations: checked,
      source: source ? toSource(source) : null,
      link: match ? links.passage(match.translation, referenceOfVerses(match.verses)) : links.service,
      note: verdict === 'exact' ? null : noteOf(checked, served.length),
    };
    return { lines: linesOf(answer, reference), answer };
  },
});

/**
 * Returns the translations to compare: the requested one, or else the first five of the service, beginning with the
 * default translation.
 */
function checkedTranslations(served: readonly string[], requested: string | undefined): string[] {
  if (requested !== undefined) {
    if (!served.includes(requested))
      throw new ToolError(`Translation '${requested}' not found. Call list_translations for the identifiers.`);
    return [requested];
  }
  const rest = served.filter((identifier) => identifier !== defaultTranslation);
  return [...served.filter((identifier) => identifier === defaultTranslation), ...rest].slice(0, maxTranslations);
}

interface QuotedVerse extends NumberedVerse {
  readonly text: string;
}

/** Consecutive verses of one translation that may be the source of the quotation. */
interface Candidate {
  readonly translation: string;
  readonly verses: readonly QuotedVerse[];
}

interface Match extends Candidate {
  readonly words: WordMatch;
}

/** Returns the verses of the given reference, followed by the verses that searches found in each translation. */
function candidatesOf(
  { first, second, third, fourth, fifth }: McpCheckQuotationQuery,
  checked: readonly string[],
  given: readonly QuotedVerse[] | null,
): Candidate[] {
  const pages = [first, second, third, fourth, fifth];
  const found = checked.flatMap((translation, index) =>
    (pages[index]?.edges ?? []).map(({ node }) => ({ translation, verses: versesInRow(node) })),
  );
  const [translation = ''] = checked;
  return given ? [{ translation, verses: given.slice(0, maxGivenVerses) }, ...found] : found;
}

/**
 * Returns the verses that are most similar to the quotation, or null if none are similar enough. Of equally similar
 * verses, those of `given` come first.
 */
function findMatch(
  candidates: readonly Candidate[],
  quotation: string,
  given: readonly QuotedVerse[] | null,
): Match | null {
  let best: Match | null = null;
  for (const { translation, verses } of candidates) {
    const words = findWords(
      verses.map(({ text }) => text),
      quotation,
    );
    if (!words) continue;
    const match = { translation, verses: verses.slice(words.first, words.last + 1), words };
    const isBetter = !best || words.similarity > best.words.similarity;
    const isEqual = words.similarity === best?.words.similarity;
    if (isBetter || (best && isEqual && given && isInside(match, given) && !isInside(best, given))) best = match;
  }
  if (!best) return null;
  const { similarity, commonWords } = best.words;
  return similarity === 1 || (similarity >= minFoundSimilarity && commonWords >= minCommonWords) ? best : null;
}

/** Returns whether all verses of a candidate are among the verses of the given reference. */
const isInside = ({ verses }: Candidate, given: readonly QuotedVerse[]): boolean => {
  const places = new Set(given.map(placeOf));
  return verses.every((verse) => places.has(placeOf(verse)));
};

const placeOf = ({ bookId, chapter, verse }: QuotedVerse): string => `${bookId} ${chapter}:${verse}`;

type VerseWithNext = QuotedVerse & { readonly next?: VerseWithNext | null };

const versesInRow = (verse: VerseWithNext): QuotedVerse[] => [verse, ...(verse.next ? versesInRow(verse.next) : [])];

/**
 * Returns a search query with the beginning of the quotation: at most 200 characters, cut between words, and without
 * the marks and capitals of operators (`NOT`, `-word`).
 */
function searchText(quotation: string): string {
  const words = quotation
    .replaceAll(/["“”«»„*-]/g, ' ')
    .toLowerCase()
    .trim();
  return words.length <= 200
    ? words
    : words
        .slice(0, 201)
        .replace(/(?<!\S)\S*$/, '')
        .trim() || words.slice(0, 200);
}

const textOf = (verses: readonly QuotedVerse[]): string => verses.map(({ text }) => text).join(' ');

const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength).replace(/\s\S*$/, '')} ...`;

function verdictOf(match: Match | null): Verdict {
  if (!match) return 'not_found';
  const { similarity, differences } = match.words;
  if (differences.length === 0) return 'exact';
  return similarity >= minCloseSimilarity ? 'close' : 'different';
}

function explain(verdict: Verdict, match: Match | null, place: string | null): string {
  if (!match) return 'Not found: no verse of the checked translations has such words.';
  if (verdict === 'close') return `Close, but not exact: these are nearly the words of ${place}.`;
  if (verdict === 'different') return `Different: the nearest words are those of ${place}, but many of them differ.`;
  const isPart = match.words.before !== '' || match.words.after !== '';
  const part = 'The quotation is only a part: check that the words before and after do not change its meaning.';
  return `Exact: these are the words of ${place}.${isPart ? ` ${part}` : ''}`;
}

const linesOf = (answer: z.output<z.ZodObject<typeof output>>, reference: string | undefined): string[] => [
  ...(answer.misquotation === null
    ? []
    : [answer.misquotation.message, ...answer.misquotation.nearestVerses.map(verseLine), '']),
  answer.explanation,
  ...(answer.bibleText === null ? [] : ['', `${answer.reference}  ${answer.bibleText}`]),
  ...answer.differences.map(({ bible, quotation }) => `- Bible: ${quote(bible)}; quotation: ${quote(quotation)}`),
  ...(answer.wordsBefore === '' ? [] : [`Before the quoted words: ${quote(answer.wordsBefore)}`]),
  ...(answer.wordsAfter === '' ? [] : [`After the quoted words: ${quote(answer.wordsAfter)}`]),
  ...(answer.givenReferenceText === null ? [] : [`${reference} says: ${quote(answer.givenReferenceText)}`]),
];

const quote = (words: string): string => (words === '' ? '(nothing)' : `"${words}"`);

function noteOf(checked: readonly string[], served: number): string {
  const others = served > checked.length ? ' The service has more translations: name one to compare with it.' : '';
  return `Compared with ${checked.join(', ')}. Other translations may have other words.${others}`;
}
