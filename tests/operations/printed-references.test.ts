import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const lectern = useStarted(() => startEmbeddedLectern());

interface Named {
  id: string;
  reference: string;
}

/** Sends one operation for some of the items, each with an alias. */
async function dataOf<Result>(fields: readonly string[]): Promise<Result[]> {
  const query = `{ ${fields.map((field, index) => `f${index}: ${field}`).join(' ')} }`;
  const response = await lectern.client(query);
  expect(response.errors).toBeUndefined();
  return Object.values(response.data as Record<string, Result>);
}

test.each(['eng-web', 'eng-kjv', 'spa-rv1909'])(
  'passage returns a verse of each book of %s for the reference that the verse has',
  async (translation) => {
    const [books = []] = await dataOf<{ bookId: string }[]>([`bibleIndex(translation: "${translation}") { bookId }`]);
    for (let from = 0; from < books.length; from += 22) {
      const verses = await dataOf<Named>(
        books
          .slice(from, from + 22)
          .map(
            ({ bookId }) =>
              `verse(book: "${bookId}", chapter: 1, verse: 1, translation: "${translation}") { id reference }`,
          ),
      );
      const passages = await dataOf<{ reference: string; verses: Named[] }>(
        verses.map(
          ({ reference }) =>
            `passage(reference: "${reference}", translation: "${translation}") { reference verses { id reference } }`,
        ),
      );
      expect(passages).toEqual(verses.map((verse) => ({ reference: verse.reference, verses: [verse] })));
    }
  },
);
