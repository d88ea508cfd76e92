import { dataDir, itemsOfThisRun } from '@lectern/testing';
import { openTextClient } from '../test-support/text-client';

const { queryData, close } = openTextClient({ dataDir });
afterAll(close);

const translations = ['eng-kjv', 'eng-web', 'spa-rv1909'] as const;

interface FoundVerse {
  id: string;
  bookId: string;
  chapter: number;
  verse: number;
  others: (string | null)[];
}

const chaptersPerRequest = 12;

/** Reads every verse of a translation, and the ids of the same verse in the other translations. */
async function readVerses(translation: string, others: readonly string[]): Promise<FoundVerse[]> {
  const { bibleIndex } = (await queryData(
    'query ($t: String) { bibleIndex(translation: $t) { bookId chapters { number } } }',
    { t: translation },
  )) as unknown as { bibleIndex: { bookId: string; chapters: { number: number }[] }[] };
  const places = bibleIndex.flatMap(({ bookId, chapters }) => chapters.map(({ number }) => ({ bookId, number })));
  const found: FoundVerse[] = [];
  for (let from = 0; from < places.length; from += chaptersPerRequest) {
    const fields = places
      .slice(from, from + chaptersPerRequest)
      .map(
        ({ bookId, number }, index) =>
          `c${index}: chapter(book: "${bookId}", chapter: ${number}, translation: "${translation}") { id bookId chapter verse ${others.map((other, at) => `o${at}: inTranslation(identifier: "${other}") { id }`).join(' ')} }`,
      );
    const data = (await queryData(`{ ${fields.join(' ')} }`)) as unknown as Record<
      string,
      (Omit<FoundVerse, 'others'> & Record<'o0' | 'o1', { id: string } | null>)[]
    >;
    for (const { o0, o1, ...verse } of Object.values(data).flat())
      found.push({ ...verse, others: [o0?.id ?? null, o1?.id ?? null] });
  }
  return found;
}

/**
 * The verses whose text the World English Bible omits, because the oldest manuscripts lack them.
 */
const omittedByWeb = ['LUK 17:36', 'ACT 8:37', 'ACT 15:34', 'ACT 24:7'];
/**
 * The verses that the field `inTranslation` does not find. A verse that the other translation
 * prints as a part of a longer verse is found.
 */
const missing: Readonly<Record<string, readonly string[]>> = {
  'eng-kjv in eng-web': omittedByWeb,
  'spa-rv1909 in eng-web': omittedByWeb,
};

// `npm test` reads one of the translations in a run, and `npm run test:long` reads all.
test.each(itemsOfThisRun(translations, translations.length))(
  'Verse.inTranslation finds every verse of %s in the other translations, except four that WEB omits',
  async (own) => {
    const others = translations.filter((each) => each !== own);
    const verses = await readVerses(own, others);
    expect(verses.length).toBeGreaterThan(31_000);
    for (const [index, other] of others.entries()) {
      const nulls = verses.filter((verse) => verse.others[index] === null);
      expect(nulls.map(({ bookId, chapter, verse }) => `${bookId} ${chapter}:${verse}`)).toEqual(
        missing[`${own} in ${other}`] ?? [],
      );
    }
  },
);
