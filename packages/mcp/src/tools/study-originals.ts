import { z } from 'zod';
import { McpStudyOriginalsDocument, type McpStudyOriginalsQuery } from '../operations.generated';
import type { ToolCall } from '../tool';

const maxSenses = 12;
const maxSenseLength = 200;

export const originalWordSchema = z.object({ surface: z.string(), transliteration: z.string(), grammar: z.string() });

export const senseShape = {
  occurrences: z.int().nullable().describe('How often the Hebrew or Greek text has the word. Null if not known.'),
  senses: z.array(z.string()).describe('What the lexicons say it means, each with the title of its lexicon.'),
  renderings: z.array(z.string()).describe('What the translation writes for it, with counts: "mercy 149".'),
  attributions: z.array(z.string()).describe('The attributions of the lexicons. Show them where you quote the senses.'),
};

type Senses = z.output<z.ZodObject<typeof senseShape>>;
type OriginalWord = z.output<typeof originalWordSchema>;
type StrongsSenses = NonNullable<McpStudyOriginalsQuery['first']>;

interface StudyOriginals {
  readonly senses: ReadonlyMap<string, Senses>;
  /** The words of each verse that have one of the numbers, by the id of the verse. */
  readonly words: ReadonlyMap<string, readonly OriginalWord[]>;
}

export const noSenses: Senses = { occurrences: null, senses: [], renderings: [], attributions: [] };

/** Reads the lexicon entries of the first three numbers and their words in the verses, if the service has them. */
export async function readStudyOriginals(
  numbers: readonly string[],
  ids: readonly string[],
  { client, signal, translation }: Pick<ToolCall, 'client' | 'signal'> & { translation: string },
): Promise<StudyOriginals> {
  const [first, second, third] = numbers;
  if (first === undefined) return { senses: new Map(), words: new Map() };
  const variables = { ids: [...ids], translation, first, second: second ?? first, third: third ?? first };
  const { data } = await client.execute(McpStudyOriginalsDocument, variables, { signal });
  const entries = [data?.first, data?.second, data?.third].filter((entry) => entry !== null && entry !== undefined);
  const studied = new Set(numbers);
  const wordsOf = (index: number): OriginalWord[] =>
    (data?.verses?.[index]?.interlinear ?? [])
      .flatMap(({ originalWords }) => originalWords)
      .filter(({ strongsNumber }) => strongsNumber !== null && studied.has(strongsNumber))
      .map(({ surface, transliteration, parsing }) => ({ surface, transliteration, grammar: parsing.description }));
  return {
    senses: new Map(entries.map((entry) => [entry.number, sensesOf(entry)])),
    words: new Map(ids.map((id, index) => [id, wordsOf(index)])),
  };
}

const sensesOf = ({ lexicons, renderings }: StrongsSenses): Senses => ({
  // The last lexicon counts all words of the Strong's number, earlier ones perhaps those of one sense.
  occurrences: lexicons?.at(-1)?.occurrences.totalCount ?? null,
  senses: (lexicons ?? []).flatMap(({ lexicon, gloss, senses }) => {
    const texts = senses.map(({ number, stem, text }) => [number, stem, text].filter(Boolean).join(' '));
    const shown = texts.length > 0 ? texts : [gloss ?? ''];
    return shown
      .filter((text) => text !== '')
      .slice(0, maxSenses)
      .map((text) => `${lexicon.title}: ${text.length > maxSenseLength ? `${text.slice(0, maxSenseLength)}…` : text}`);
  }),
  renderings: (renderings ?? []).map(({ form, occurrences }) => `${form} ${occurrences}`),
  attributions: [...new Set((lexicons ?? []).map(({ lexicon }) => lexicon.licence.attribution))],
});

export const senseLines = ({ occurrences, senses, renderings }: Senses): string[] => [
  ...(occurrences === null ? [] : [`  Occurrences in the original text: ${occurrences}.`]),
  ...(renderings.length === 0 ? [] : [`  Translated: ${renderings.join(', ')}.`]),
  ...senses.map((sense) => `  ${sense}`),
];
