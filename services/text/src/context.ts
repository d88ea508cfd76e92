import type { BookCode, Place } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import type { OperationInfo, WorkBudget } from '@lectern/subgraph';
import { createPerTranslationLoader, createValueBudget, createVerseBudget } from '@lectern/subgraph';
import type { VerseLayout } from '@lectern/verse-layout';
import type { Passage } from './passages';
import { missingText, type TextStore, type Verse, type VerseKey } from './store';

/** Ten for each of 5,000 verses. Without a bound, aliases could select a verse's fields many times. */
const maxValuesPerRequest = 50_000;

const valuesPerLayoutItem = 3;

/** Fields of a verse that share a load of its lists: 57 aliases on all verses of Psalms blocked a turn for 170 ms. */
const maxFieldsPerLayoutLoad = 4;

/** Loads in one tick share an SQL statement. A field throws if the request exceeds a budget. */
export function createRequestContext(
  store: TextStore,
  work: WorkBudget,
  { rootFields }: OperationInfo = { rootFields: Infinity },
) {
  const verseBudget = createVerseBudget();
  const valueBudget = createValueBudget(maxValuesPerRequest);
  const loader = createPerTranslationLoader(work, { loadBatch: store.verses, prepare: store.verifyInSteps });
  const versionLoader = createPerTranslationLoader(work, { loadBatch: store.versions, prepare: store.verifyInSteps });
  const passages = new Map<Passage, Promise<Verse[]>>();
  let isUncacheable = false;

  /** Returns whether a load has nothing to share or to wait for: one root field, and a verified file. */
  const isLoadedAlone = (translation: Translation): boolean => rootFields <= 1 && store.isVerified(translation);

  /** Resolves with those of the verses that the translation has. */
  const existingVerses = async (translation: Translation, places: readonly Place[]): Promise<Verse[]> => {
    verseBudget.hold(places.length);
    if (places.length === 0) return [];
    const verses = await loader.loadMany(translation, places);
    return verses.filter((verse) => verse !== null);
  };

  return {
    work,
    existingVerses,
    isUncacheable: () => isUncacheable,
    /** Must be called by a field whose value may differ from one request to the next. */
    setUncacheable(): void {
      isUncacheable = true;
    },

    countValue<Value>(value: Value): Value {
      valueBudget.consume(1);
      return value;
    },

    /** Counts the text of a verse as one value, and as a verse that the response has. */
    countText({ translation }: VerseKey, text: string): string {
      valueBudget.consume(1);
      work.verses.add(translation.identifier);
      return text;
    },

    layoutItems: createLayoutItems(store, work, valueBudget),

    /** Resolves with the version of a chapter, or of the whole book if `chapter` is 0. */
    version(translation: Translation, book: BookCode, chapter: number): Promise<string> {
      valueBudget.consume(1);
      return versionLoader.load(translation, { book, chapter, verse: 0 });
    },

    adjacentVerse(verse: VerseKey, step: -1 | 1): VerseKey | null {
      verseBudget.hold(1);
      return store.adjacentVerse(verse.translation, verse, step);
    },

    /** Resolves with null if the translation has no such verse. */
    async verse(translation: Translation, place: Place): Promise<Verse | null> {
      if (!store.hasVerse(translation, place)) return null;
      verseBudget.hold(1);
      return loader.load(translation, place);
    },

    /** Returns null for a missing verse. The field `text` loads the text: many queries do not select it. */
    verseKey(translation: Translation, { book, chapter, verse }: Place): VerseKey | null {
      if (!store.hasVerse(translation, { book, chapter, verse })) return null;
      verseBudget.hold(1);
      return { translation, book, chapter, verse };
    },

    async textOf(verse: VerseKey): Promise<string> {
      const loaded = await loader.load(verse.translation, verse);
      if (!loaded) throw missingText(verse.translation, verse);
      return loaded.text;
    },

    rootVerse(translation: Translation, place: Place): Verse | null | Promise<Verse | null> {
      if (!isLoadedAlone(translation)) return this.verse(translation, place);
      if (!store.hasVerse(translation, place)) return null;
      verseBudget.hold(1);
      return store.verses(translation, [place])[0] ?? null;
    },

    rootChapter(translation: Translation, book: BookCode, chapter: number): Verse[] | Promise<Verse[]> {
      if (!isLoadedAlone(translation)) return this.chapter(translation, book, chapter);
      verseBudget.hold(store.shape(translation).verses(book, chapter).length);
      return store.chapter(translation, book, chapter);
    },

    /** Resolves with [] if the book has no such chapter. */
    chapter(translation: Translation, book: BookCode, chapter: number): Promise<Verse[]> {
      const verses = store.shape(translation).verses(book, chapter);
      return existingVerses(
        translation,
        verses.map((verse) => ({ book, chapter, verse })),
      );
    },

    /** The fields `text` and `verses` of a passage share one load, which is counted once. */
    passage(passage: Passage): Promise<Verse[]> {
      const verses = passages.get(passage) ?? existingVerses(passage.translation, passage.places);
      passages.set(passage, verses);
      return verses;
    },
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;

/** Creates the function that resolves with a list of a verse's layout. The lists of one verse share a load. */
function createLayoutItems(store: TextStore, work: WorkBudget, valueBudget: ReturnType<typeof createValueBudget>) {
  const layoutLoader = createPerTranslationLoader(work, {
    loadBatch(translation: Translation, verses: readonly VerseKey[]) {
      const unique = [...new Set(verses)];
      const layouts = store.layouts(translation, unique);
      const byVerse = new Map(unique.map((verse, index) => [verse, layouts[index] as VerseLayout]));
      return verses.map((verse) => byVerse.get(verse) as VerseLayout);
    },
    prepare: store.verifyInSteps,
  });
  /** For each verse: the latest load of its layout, and how many fields share this load. */
  const layoutLoads = new Map<VerseKey, { layout: Promise<VerseLayout>; fields: number }>();

  /** Counts three values for each item or one for an empty list, and one of them before the load. */
  return <List extends keyof VerseLayout>(verse: VerseKey, list: List): Promise<VerseLayout[List]> => {
    valueBudget.consume(1);
    let load = layoutLoads.get(verse);
    if (!load || load.fields === maxFieldsPerLayoutLoad) {
      load = { layout: layoutLoader.load(verse.translation, verse), fields: 0 };
      layoutLoads.set(verse, load);
    }
    load.fields += 1;
    return load.layout.then(({ [list]: items }) => {
      valueBudget.consume(Math.max(0, items.length * valuesPerLayoutItem - 1));
      return items;
    });
  };
}
