import type { BookCode, Place } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import type { AboutOperation } from '@lectern/subgraph';
import DataLoader from 'dataloader';
import type { Passage } from './passage-reader';
import type { TextStore, Verse, VerseKey } from './store';

/** The verses that one request may hold over all its fields: a Gospel or two, not an edition. */
export const maxVersesPerRequest = 5_000;
/** Ten fields of each: aliases make a field cost little to ask for and much to send. */
export const maxValuesPerRequest = 50_000;

interface Wanted {
  edition: Translation;
  places: readonly Place[];
}

/**
 * Lives as long as one request. Fields that ask in the same tick share one statement an edition, and every verse that the request
 * comes to hold is counted: the field that would pass the bound throws.
 */
export function createRequestContext(store: TextStore, { rootFields }: AboutOperation = { rootFields: Infinity }) {
  let held = 0;
  let given = 0;
  const loader = new DataLoader<Wanted, (Verse | null)[]>(async (wanted) => load(store, wanted), {
    cache: false,
  });
  const passages = new Map<Passage, Promise<Verse[]>>();

  const hold = (verses: number) => {
    if (held + verses > maxVersesPerRequest) throw errors.verseBudgetSpent(maxVersesPerRequest);
    held += verses;
  };

  const all = async (edition: Translation, places: readonly Place[]): Promise<Verse[]> => {
    hold(places.length);
    if (places.length === 0) return [];
    const verses = await loader.load({ edition, places });
    return verses.filter((verse) => verse !== null);
  };

  return {
    /** Counts one value of a verse or a chapter, and hands it through. */
    give<Value>(value: Value): Value {
      given += 1;
      if (given > maxValuesPerRequest) throw errors.valueBudgetSpent(maxValuesPerRequest);
      return value;
    },

    /** Null when the edition has no such verse. */
    async verse(edition: Translation, place: Place): Promise<Verse | null> {
      if (!store.has(edition, place)) return null;
      hold(1);
      const [verse] = await loader.load({ edition, places: [place] });
      return verse ?? null;
    },

    /** A verse that another subgraph names: mostly it is asked for something else than its text, which therefore waits until it is asked for. */
    named(edition: Translation, { book, chapter, verse }: Place): VerseKey | null {
      if (!store.has(edition, { book, chapter, verse })) return null;
      hold(1);
      return { edition, book, chapter, verse };
    },

    async textOf({ edition, book, chapter, verse }: VerseKey): Promise<string> {
      const [found] = await loader.load({ edition, places: [{ book, chapter, verse }] });
      if (!found)
        throw new Error(`the corpus lacks a verse that it lists: ${edition.identifier} ${book} ${chapter}:${verse}`);
      return found.text;
    },

    /** `verse` for a field of the query itself: at once where it is the only one, for then nobody can join it. */
    rootVerse(edition: Translation, place: Place): Verse | null | Promise<Verse | null> {
      if (rootFields > 1) return this.verse(edition, place);
      if (!store.has(edition, place)) return null;
      hold(1);
      return store.verses(edition, [place])[0] ?? null;
    },

    /** A chapter for a field of the query itself. */
    rootChapter(edition: Translation, book: BookCode, chapter: number): Verse[] | Promise<Verse[]> {
      if (rootFields > 1) return this.chapter(edition, book, chapter);
      hold(store.shape(edition).verses(book, chapter).length);
      return store.chapter(edition, book, chapter);
    },

    /** Empty when the book has no such chapter. */
    chapter: (edition: Translation, book: BookCode, chapter: number): Promise<Verse[]> =>
      all(
        edition,
        store
          .shape(edition)
          .verses(book, chapter)
          .map((verse) => ({ book, chapter, verse })),
      ),

    /** `text` and `verses` of one passage are one statement, and count once. */
    passage(passage: Passage): Promise<Verse[]> {
      const asked = passages.get(passage) ?? all(passage.edition, passage.places);
      passages.set(passage, asked);
      return asked;
    },
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;

/** One statement an edition; each asker gets the slice that is its own. */
function load(store: TextStore, wanted: readonly Wanted[]): (Verse | null)[][] {
  const found: (Verse | null)[][] = wanted.map(() => []);
  for (const edition of new Set(wanted.map((each) => each.edition))) {
    const askers = [...wanted.entries()].filter(([, each]) => each.edition === edition);
    const verses = store.verses(
      edition,
      askers.flatMap(([, each]) => each.places),
    );
    let taken = 0;
    for (const [index, { places }] of askers) {
      found[index] = verses.slice(taken, taken + places.length);
      taken += places.length;
    }
  }
  return found;
}
