import { z } from 'zod';
import { nextPageOf, nextPageSchema, pageNote, sourceSchema, toSource } from '../answer';
import type { McpFindLemmaQuery, McpStudyPlacesQuery, McpStudyStrongsNumberQuery } from '../operations.generated';
import {
  McpFindLemmaDocument,
  McpStudyPlacesDocument,
  McpStudyStrongsNumberDocument,
  McpStudyWordDocument,
} from '../operations.generated';
import type { ToolCall } from '../tool';
import {
  afterArgument,
  defineTool,
  limitArgument,
  readTranslations,
  required,
  testamentArgument,
  textArgument,
  translationArgument,
} from '../tool';
import { noSenses, originalWordSchema, readStudyOriginals, senseLines, senseShape } from './study-originals';

type StrongsWord = NonNullable<McpStudyStrongsNumberQuery['strongs']>;

const input = {
  word: textArgument(100).describe(
    'A word in the language of the translation, such as "mercy", a Hebrew or Greek word, also in Latin letters, such as "hesed", or a Strong\'s number, such as H2617 or G26.',
  ),
  translation: translationArgument.describe(
    "Identifier of the translation. eng-kjv and spa-rv1909 also give Strong's numbers; eng-web has none. list_translations names all.",
  ),
  book: z.string().trim().max(100).optional().describe('Only this book: a name or a USFM code.'),
  testament: testamentArgument,
  limit: limitArgument(25),
  after: afterArgument,
};

const output = {
  word: z.string(),
  strongs: z
    .array(
      z.object({
        number: z.string(),
        lemma: z.string().nullable(),
        transliteration: z.string().nullable(),
        definition: z.string().nullable(),
        language: z.string(),
        ...senseShape,
      }),
    )
    .describe(
      "The Hebrew and Greek words behind the listed verses and the first ones of the New Testament. Empty if the translation has no Strong's numbers.",
    ),
  forms: z.array(z.string()).describe('The forms of the word in the translation.'),
  totalOccurrences: z.int().describe('How often the word occurs in the whole translation.'),
  oldTestamentVerses: z.int(),
  newTestamentVerses: z.int(),
  books: z
    .array(z.object({ book: z.string(), verses: z.int() }))
    .describe('How many verses of each book have the word.'),
  near: z
    .array(z.object({ word: z.string(), together: z.int() }))
    .describe('Words that occur near the word more often than chance explains.'),
  verseCount: z.int().describe('How many verses have the word in the chosen book or testament, on all pages.'),
  verses: z.array(
    z.object({
      reference: z.string(),
      context: z.string().describe('The word is between asterisks.'),
      original: z.array(originalWordSchema).describe('The Hebrew or Greek words of `strongs` in the verse, if known.'),
    }),
  ),
  nextPage: nextPageSchema,
  source: sourceSchema,
};

export const studyWord = defineTool({
  name: 'study_word',
  title: 'Study a word of the Bible',
  description:
    "The concordance: how often a word occurs, in which forms and books, which words occur near it, the Hebrew or Greek words behind it with Strong's numbers, senses and renderings, and its verses with the word in its context and the grammar of the original. " +
    "Takes a word of the translation, a Hebrew or Greek word, or a Strong's number. All inflections of a word count together. " +
    'Use it for the usage or the original of one word. To find verses by several words use search_words.',
  input,
  output,
  async run(args, call) {
    const { word, translation, limit } = args;
    const study = /^[HG]\d{1,5}[a-z]?$/i.test(word) ? await readStrongs(args, call) : await readWord(args, call);
    const { occurrences, near, strongs } = study;
    const originals = await readStudyOriginals(
      strongs.map(({ number }) => number),
      occurrences.edges.map(({ node }) => node.verse.id),
      { ...call, translation },
    );
    const { entry, pageInfo, totalCount } = occurrences;
    const nextPage = nextPageOf(pageInfo);
    const answer = {
      word,
      strongs: strongs.map((each) => ({ ...each, ...(originals.senses.get(each.number) ?? noSenses) })),
      forms: entry.surfaceForms.slice(0, 30),
      totalOccurrences: entry.totalOccurrences,
      oldTestamentVerses: entry.occurrencesByTestament.old,
      newTestamentVerses: entry.occurrencesByTestament.new,
      books: entry.occurrencesByBook.map(({ bookName, count }) => ({ book: bookName, verses: count })),
      near,
      verseCount: totalCount,
      verses: occurrences.edges.map(({ node }) => ({
        reference: node.verse.reference,
        context: plainContext(node.context),
        original: [...(originals.words.get(node.verse.id) ?? [])],
      })),
      nextPage,
      source: toSource(study.source),
      link: call.links.word(translation, entry.surfaceForms[0] ?? word),
      note: [study.note, pageNote(Math.min(limit, totalCount), totalCount, nextPage)].filter(Boolean).join(' ') || null,
    };
    return { lines: linesOf(answer), answer };
  },
});

type Arguments = z.output<z.ZodObject<typeof input>>;

/** A rarer word may be a name that a transliterated word equals: eng-kjv has `Hesed` in Ben-hesed. */
const minOwnOccurrences = 10;

/** Reads a word of the translation, or else a Hebrew or Greek word, which may be transliterated. */
async function readWord(args: Arguments, call: ToolCall) {
  const study = await readTranslatedWord(args, call);
  const { totalOccurrences } = study.occurrences.entry;
  if (totalOccurrences >= minOwnOccurrences) return study;
  const { data } = await call.client.execute(McpFindLemmaDocument, { word: args.word }, { signal: call.signal });
  const [number, ...others] = numbersOf(data?.lemma?.edges.length ? data.lemma : data?.form);
  if (number === undefined) return study;
  const also = others.length === 0 ? '' : ` The same letters are also ${others.join(' and ')}.`;
  if (totalOccurrences > 0)
    return {
      ...study,
      note: `For the Hebrew or Greek word "${args.word}", call the tool again with word: "${number}".${also}`,
    };
  const original = await readStrongs({ ...args, word: number }, call);
  const note = `The translation does not have "${args.word}". This is the original word ${number}.${also}`;
  return { ...original, note: [note, original.note].filter(Boolean).join(' ') };
}

/** Returns the Strong's numbers of the words in the first verses, the most frequent in them first. */
function numbersOf(found: McpFindLemmaQuery['form'] | undefined): string[] {
  const counts = new Map<string, number>();
  for (const { strongsNumber } of (found?.edges ?? []).flatMap(({ matches }) => matches))
    if (strongsNumber !== null) counts.set(strongsNumber, (counts.get(strongsNumber) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([number]) => number);
}

async function readTranslatedWord({ word, limit, ...args }: Arguments, { client, signal }: ToolCall) {
  const isWholeBible = args.book === undefined && args.testament === undefined;
  const data = await client.query(McpStudyWordDocument, { ...args, word, first: limit, isWholeBible }, { signal });
  const occurrences = required(data.concordance);
  const note =
    occurrences.entry.totalOccurrences > 0
      ? null
      : "The translation does not have this word. Try another form or translation, or a Strong's number for a Hebrew or Greek word.";
  return {
    occurrences,
    source: required(data.source),
    strongs: strongsOf([...occurrences.edges, ...(data.newTestament?.edges ?? [])]),
    near: required(data.collocates).map(({ displayForm, together }) => ({ word: displayForm, together })),
    note,
  };
}

async function readStrongs({ word, limit, ...args }: Arguments, { client, signal }: ToolCall) {
  const variables = { ...args, number: word.toUpperCase(), first: limit };
  const all = await readTranslations(client, signal);
  const isTagged = all.find(({ identifier }) => identifier === args.translation)?.hasStrongsTagging;
  const places = isTagged === false ? await client.query(McpStudyPlacesDocument, variables, { signal }) : null;
  if (places?.whole && places.searchOriginals && places.whole.totalCount > 0)
    return {
      occurrences: occurrencesOf(places.whole, places.searchOriginals, word),
      source: required(places.source),
      strongs: [required(places.strongs)],
      near: [],
      note: `${required(places.source).name} has no Strong's numbers: these are the verses of the original text with the word, and its counts.`,
    };
  const data = await client.query(McpStudyStrongsNumberDocument, variables, { signal });
  const source = required(data.source);
  return {
    occurrences: required(data.strongsConcordance),
    source,
    strongs: [required(data.strongs)],
    near: [],
    note: source.hasStrongsTagging
      ? null
      : `${source.name} has no Strong's numbers, so no verses are listed. list_translations says which translations have them.`,
  };
}

/** Returns the places of a word in the original text, in the form of the places in a concordance. */
function occurrencesOf(
  whole: NonNullable<McpStudyPlacesQuery['whole']>,
  { totalCount, edges, pageInfo }: NonNullable<McpStudyPlacesQuery['searchOriginals']>,
  number: string,
) {
  const isOld = /^h/i.test(number);
  return {
    totalCount,
    entry: {
      surfaceForms: [],
      totalOccurrences: whole.wordCount,
      occurrencesByTestament: { old: isOld ? whole.totalCount : 0, new: isOld ? 0 : whole.totalCount },
      occurrencesByBook: whole.facets.byBook,
    },
    edges: edges.map(({ node: { reference, verses } }) => ({
      node: {
        context: verses[0]?.text ?? '',
        verse: { id: verses[0]?.id ?? '', reference: verses[0]?.reference ?? reference },
        strongs: null,
      },
    })),
    pageInfo,
  };
}

/** Returns the distinct Hebrew and Greek words that these verses translate, the most frequent first. */
function strongsOf(edges: readonly { readonly node: { readonly strongs: StrongsWord | null } }[]): StrongsWord[] {
  const words = new Map<string, { strongs: StrongsWord; count: number }>();
  for (const { node } of edges) {
    if (!node.strongs) continue;
    const { count } = words.get(node.strongs.number) ?? { count: 0 };
    words.set(node.strongs.number, { strongs: node.strongs, count: count + 1 });
  }
  return [...words.values()].sort((a, b) => b.count - a.count).map(({ strongs }) => strongs);
}

/** Converts the service's HTML, which has only the element `mark` and three entities, to text. */
const plainContext = (html: string): string =>
  html
    .replaceAll(/<\/?mark>/g, '*')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

const linesOf = (study: z.output<z.ZodObject<typeof output>>): string[] => [
  `"${study.word}" in the whole translation: occurrences ${study.totalOccurrences}, verses of the Old Testament ${study.oldTestamentVerses}, of the New ${study.newTestamentVerses}.`,
  ...lineOf('Forms', study.forms),
  ...lineOf(
    'Verses by book',
    study.books.map(({ book, verses }) => `${book} ${verses}`),
  ),
  ...lineOf(
    'Near it',
    study.near.map(({ word, together }) => `${word} ${together}`),
  ),
  ...study.strongs.flatMap(({ number, lemma, transliteration, definition, ...senses }) => [
    `Strong's ${[number, lemma, transliteration && `(${transliteration})`].filter(Boolean).join(' ')}: ${definition ?? 'no definition'}`,
    ...senseLines(senses),
  ]),
  '',
  ...study.verses.flatMap(({ reference, context, original }) => [
    `${reference}  ${context}`,
    ...original.map((each) => `  ${each.surface} (${each.transliteration}) ${each.grammar}`),
  ]),
];

const lineOf = (title: string, items: readonly string[]): string[] =>
  items.length === 0 ? [] : [`${title}: ${items.join(', ')}.`];
