import { errors } from '@lectern/errors';
import { spellingTest } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { type Category, categories } from '../grammar/grammar';
import { type OriginalsReader, ownSegment, type WordGrammar } from '../reader';
import { foldOriginal, foldTransliteration } from '../script/fold';
import type { OriginalText } from '../texts';

/** The conditions of a client for one word. Null and absent fields are no conditions. */
export type WordQuery = {
  readonly [Key in Category | 'form' | 'lemma' | 'strongs' | 'partOfSpeech']?: string | null;
} & {
  readonly person?: number | null;
};

type Language = OriginalText['language'];

/** The forms, lemmas and parsings that a query accepts: 1 at the index of each. Null if all are accepted. */
export interface WordFilter {
  readonly forms: Uint8Array | null;
  readonly lemmas: Uint8Array | null;
  readonly parsings: Uint8Array | null;
  /** The language that the query implies, and the field that implies it. Null if the query fits both languages. */
  readonly language: Implied | null;
}

export interface Implied {
  readonly language: Language;
  /** The field that implies the language, such as `words[0].tense`. */
  readonly by: string;
}

const maxLength = 100;
const categoriesOfGreek: ReadonlySet<string> = new Set(['case', 'tense', 'voice', 'mood', 'degree']);
const categoriesOfHebrew: ReadonlySet<string> = new Set(['state', 'stem', 'conjugation']);

/** Joins the languages that two conditions imply (null: any). Throws `badUserInput` if they are different. */
export function joinImplied(a: Implied | null, b: Implied | null): Implied | null {
  if (a && b && a.language !== b.language)
    throw errors.badUserInput(
      `${a.by} is ${nameOf(a.language)}, but ${b.by} is ${nameOf(b.language)}, and no verse is both; leave one of them out`,
    );
  return a ?? b;
}

const nameOf = (language: Language): string => (language === 'grc' ? 'Greek' : 'Hebrew or Aramaic');

const isHebrew = /\p{Script=Hebrew}/u;
const isGreek = /\p{Script=Greek}/u;

export function createWordFilters(db: Database, { grammars }: OriginalsReader) {
  const formsBy = (column: string) =>
    db.prepare<[string], { number: number; text: string }>(
      `SELECT number, replace(surface, '/', '') AS text FROM form WHERE ${column} = ?`,
    );
  const lemmasBy = (column: string) =>
    db.prepare<[string], { number: number; text: string; letter: string | null }>(
      `SELECT number, text, letter FROM lemma WHERE ${column} = ?`,
    );
  const lemmasByNumber = db.prepare<[string], { number: number; letter: string | null }>(
    'SELECT l.number, l.letter FROM lemma_number AS n JOIN lemma AS l ON l.number = n.lemma WHERE n.strongs = ?',
  );
  const forms = { folded: formsBy('folded'), latin: formsBy('latin') };
  const lemmas = { folded: lemmasBy('folded'), latin: lemmasBy('latin') };

  const segments = listSegments(grammars);

  return function filterOf(query: WordQuery, name: string): WordFilter {
    const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    if (given.length === 0)
      throw errors.badUserInput(`${name} says nothing of the word; give its form, lemma, number or grammar`);
    if (typeof query.person === 'number' && ![1, 2, 3].includes(query.person))
      throw errors.badUserInput(`${name}.person must be 1, 2 or 3`);
    let language: Implied | null = null;
    const imply = (implied: Implied | null): void => {
      language = joinImplied(language, implied);
    };
    for (const [key] of given) {
      if (categoriesOfGreek.has(key)) imply({ language: 'grc', by: `${name}.${key}` });
      if (categoriesOfHebrew.has(key)) imply({ language: 'hbo', by: `${name}.${key}` });
    }
    const find = (key: 'form' | 'lemma', statements: Parameters<typeof findSpellings>[0]) => {
      if (query[key] === null || query[key] === undefined) return null;
      const found = findSpellings(statements, { text: query[key], name: `${name}.${key}` });
      imply(found.language);
      return found.numbers;
    };
    const formNumbers = find('form', forms);
    let lemmaNumbers = find('lemma', lemmas);
    if (query.strongs !== null && query.strongs !== undefined) {
      const [, script = '', number, letter] = /^\s*([GH])0*([1-9]\d{0,4})([a-z])?\s*$/i.exec(query.strongs) ?? [];
      if (number === undefined)
        throw errors.badUserInput(`${name}.strongs must be G or H and a number, such as G26 or H2617`);
      imply({ language: script.toUpperCase() === 'G' ? 'grc' : 'hbo', by: `${name}.strongs` });
      const rows = lemmasByNumber.all(`${script.toUpperCase()}${number}`);
      const ofSense = rows.filter((row) => letter === undefined || row.letter === letter.toLowerCase());
      const numbers = new Set(ofSense.map((row) => row.number));
      lemmaNumbers = lemmaNumbers === null ? numbers : new Set([...lemmaNumbers].filter((each) => numbers.has(each)));
    }
    return {
      forms: flagsOf(formNumbers),
      lemmas: flagsOf(lemmaNumbers),
      parsings: parsingsOf(query, name, language),
      language,
    };
  };

  /** Returns flags for the parsings with all categories of the query in one segment. Null if the query has none. */
  function parsingsOf(query: WordQuery, name: string, language: Implied | null): Uint8Array | null {
    const wanted = grammarKeys.filter((key) => (query[key] ?? null) !== null);
    if (wanted.length === 0) return null;
    const flags = new Uint8Array(grammars.length);
    const found = new Set<string>();
    const columns = wanted.map((key) => ({ key, values: segments.columns[key], value: segments.codeOf(query[key]) }));
    const partOfSpeech = query.partOfSpeech ? segments.codeOf(query.partOfSpeech) : null;
    for (let segment = 0; segment < segments.parsing.length; segment += 1) {
      if (language && segments.isGreek[segment] !== Number(language.language === 'grc')) continue;
      if (partOfSpeech === null ? !segments.isOwn[segment] : segments.columns.partOfSpeech[segment] !== partOfSpeech)
        continue;
      let isMatch = 1;
      for (const { key, values, value } of columns) {
        if (values[segment] !== value) isMatch = 0;
        if (values[segment] !== 0) found.add(key);
      }
      if (isMatch) flags[segments.parsing[segment] ?? 0] = 1;
    }
    // No word of this part of speech has the category, which is an error. Others that never meet only find nothing.
    const impossible = wanted.find((key) => !found.has(key));
    if (impossible && grammars.length > 1)
      throw errors.badUserInput(
        query.partOfSpeech && impossible !== 'partOfSpeech'
          ? `${name}: no ${describe(query.partOfSpeech)} has a ${impossible}${language ? ` in ${nameOf(language.language)}` : ''}; leave one of them out`
          : `${name}.${impossible} is not in the texts that are searched; leave it out`,
      );
    return flags;
  }
}

/** Finds spellings by their letters. Points and accents are compared only if the client's text has some. */
function findSpellings<Row extends { number: number; text: string }>(
  statements: Record<'folded' | 'latin', { all(key: string): Row[] }>,
  { text, name }: { text: string; name: string },
): { numbers: ReadonlySet<number>; language: Implied | null } {
  if ([...text].length > maxLength) throw errors.tooLong(name, maxLength);
  const hebrew = isHebrew.test(text);
  if (hebrew && isGreek.test(text))
    throw errors.badUserInput(`${name} mixes Hebrew and Greek letters; write one word of one language`);
  const toNumbers = (rows: readonly Row[]): ReadonlySet<number> => new Set(rows.map(({ number }) => number));
  if (!hebrew && !isGreek.test(text)) {
    const latin = foldTransliteration(text);
    if (latin === '')
      throw errors.badUserInput(`${name} has no letter; write a word in Hebrew, Greek or Latin letters`);
    return { numbers: toNumbers(statements.latin.all(latin)), language: null };
  }
  const folded = foldOriginal(text);
  if (!/\p{L}/u.test(folded))
    throw errors.badUserInput(`${name} has no letter; write a word in Hebrew, Greek or Latin letters`);
  const matches = spellingTest(text);
  return {
    numbers: toNumbers(statements.folded.all(folded).filter((row) => matches(row.text))),
    language: { language: hebrew ? 'hbo' : 'grc', by: name },
  };
}

const grammarKeys = [...categories, 'person', 'partOfSpeech'] as const;

/** Lists the segments of all parsings as columns of numbers, because numbers compare faster than strings. */
function listSegments(grammars: readonly (WordGrammar | null)[]) {
  const listed = grammars.flatMap((grammar, parsing) =>
    (grammar?.segments ?? []).map((segment) => ({ parsing, grammar, segment })),
  );
  const codes = new Map<unknown, number>();
  const columns = Object.fromEntries(
    grammarKeys.map((key) => [
      key,
      Uint8Array.from(listed, ({ segment: { [key]: value } }) => {
        if (value !== undefined && !codes.has(value)) codes.set(value, codes.size + 1);
        return codes.get(value) ?? 0;
      }),
    ]),
  ) as Record<(typeof grammarKeys)[number], Uint8Array>;
  return {
    columns,
    parsing: Uint16Array.from(listed, ({ parsing }) => parsing),
    isOwn: Uint8Array.from(listed, ({ grammar, segment }) =>
      Number(grammar !== null && ownSegment(grammar) === segment),
    ),
    isGreek: Uint8Array.from(listed, ({ grammar }) => Number(grammar?.text.language === 'grc')),
    /** Returns the number of a value. A value that occurs nowhere gets a number that no segment has. */
    codeOf: (value: unknown): number => codes.get(value) ?? codes.size + 1,
  };
}

/** A search reads flags for every word, and reading an array is faster than a set. */
function flagsOf(numbers: ReadonlySet<number> | null): Uint8Array | null {
  if (numbers === null) return null;
  let max = 0;
  for (const number of numbers) max = Math.max(max, number);
  const flags = new Uint8Array(max + 1);
  for (const number of numbers) flags[number] = 1;
  return flags;
}

const describe = (partOfSpeech: string): string => partOfSpeech.toLowerCase();
