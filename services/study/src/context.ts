import { type Place, standardVerses, verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import { type TopicSection, type VerseSpan, versesInTranslation } from '@lectern/reference-works';
import { createPerTranslationLoader, createVerseBudget, type WorkBudget } from '@lectern/subgraph';
import type { CommentaryNote, CrossReference, StandardVerseList, Topic, VerseTopic } from './reader';
import type { StudyTranslation } from './spans';
import type { StudyStore } from './store';

/** A verse of a translation, without its text. */
export interface StudyVerse extends Place {
  readonly translation: StudyTranslation;
}

/** The maximum number of notes in one response. They usually have less than two megabytes of text. */
const maxNotesPerRequest = 1_000;

const ordinalsOf = (verse: StudyVerse): StandardVerseList =>
  standardVerses(verse.translation.numbering, verse).map(verseOrdinal);

/** Loads with equal arguments in one turn of the event loop share an SQL statement. */
export function createRequestContext({ read, verses: standard }: StudyStore, work: WorkBudget) {
  const verseBudget = createVerseBudget();
  let noteCount = 0;
  // The first argument, usually a translation, is here the arguments of the field, or null if it has none.
  const sections = createPerTranslationLoader(work, {
    loadBatch: (_: null, topics: readonly Topic[]) => read.sections(topics),
    // Small batches, because five topics take a few milliseconds. The largest topic has about 700 entries.
    keysPerBatch: 5,
  });
  const sectionsByTopic = new Map<Topic, Promise<TopicSection[]>>();
  const topics = createPerTranslationLoader(work, {
    loadBatch: (first: number, verses: readonly StandardVerseList[]) => read.topics(verses, first),
  });
  const crossReferences = createPerTranslationLoader(work, {
    loadBatch: (first: number, verses: readonly StandardVerseList[]) => read.crossReferences(verses, first),
  });
  const noteNumbers = createPerTranslationLoader(work, {
    loadBatch: (filter: string, verses: readonly StandardVerseList[]) =>
      read.noteNumbers(verses, JSON.parse(filter) as { source: string | null; first: number }),
  });
  const notes = createPerTranslationLoader(work, {
    loadBatch: (_: null, numbers: readonly number[]) => read.notes(numbers),
  });

  return {
    work,

    /** Resolves with the sections of a topic. All fields of a request that select them share one load. */
    sections(topic: Topic): Promise<TopicSection[]> {
      const loaded = sectionsByTopic.get(topic) ?? sections.load(null, topic);
      sectionsByTopic.set(topic, loaded);
      return loaded;
    },

    topics: (verse: StudyVerse, first: number): Promise<VerseTopic[]> => topics.load(first, ordinalsOf(verse)),

    crossReferences: (verse: StudyVerse, first: number): Promise<CrossReference[]> =>
      crossReferences.load(first, ordinalsOf(verse)),

    /** Throws `badUserInput` if the request has more notes than `maxNotesPerRequest`. */
    async notes(verse: StudyVerse, filter: { source: string | null; first: number }): Promise<CommentaryNote[]> {
      const numbers = await noteNumbers.load(JSON.stringify(filter), ordinalsOf(verse));
      noteCount += numbers.length;
      if (noteCount > maxNotesPerRequest)
        throw errors.badUserInput(`One request gives at most ${maxNotesPerRequest} notes; ask for less at once`);
      return numbers.length === 0 ? [] : notes.loadMany(null, numbers);
    },

    /** Returns the first verses of a span that the translation has, at most `first`. Throws `verseBudgetSpent`. */
    verses(translation: StudyTranslation, span: VerseSpan, first: number): StudyVerse[] {
      const places = versesInTranslation(translation, span, first, standard);
      verseBudget.hold(places.length);
      return places.map((place) => ({ ...place, translation }));
    },
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;
