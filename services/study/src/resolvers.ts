import { bookName, parseVerseId, verseId } from '@lectern/canon';
import { topicId, type VerseSpan } from '@lectern/reference-works';
import type { RequestContext, StudyVerse } from './context';
import type { Commentary, CommentaryNote, CrossReference, Topic, TopicPage } from './read';
import { formatSpan, formatSpanIn, placeOf } from './spans';
import type { StudyStore } from './store';
import type { TopicArguments } from './topics';
import { writeCursor } from './topics';

/** A cross reference with the verse to which it belongs. */
interface VerseCrossReference {
  readonly verse: StudyVerse;
  readonly reference: CrossReference;
}

interface ListBounds {
  readonly default: number;
  readonly max: number;
}

const topicsOfVerse: ListBounds = { default: 10, max: 100 };
const crossReferencesOfVerse: ListBounds = { default: 10, max: 100 };
const notesOfVerse: ListBounds = { default: 5, max: 20 };
const versesOfReference: ListBounds = { default: 3, max: 50 };
const seeAlsoOfTopic: ListBounds = { default: 20, max: 100 };
const defaultTranslation = 'eng-web';
const maxSourceLength = 100;

/** Clamps an argument `first`. Null means the default. */
const clampFirst = (first: number | null | undefined, bounds: ListBounds): number =>
  Math.min(Math.max(first ?? bounds.default, 1), bounds.max);

type First = { first: number | null };

export function createResolvers(store: StudyStore) {
  return {
    Query: {
      topics: (_: unknown, args: TopicArguments) => store.topicPage(args),
      topic: (_: unknown, { name }: { name: string }) => store.topic(name),
      commentaries: () => store.commentaries,
    },
    TopicConnection: {
      edges: ({ topics, start }: TopicPage) =>
        topics.map((node, index) => ({ cursor: writeCursor(start + index), node })),
      pageInfo: ({ topics, start, totalCount }: TopicPage) => ({
        hasNextPage: start + topics.length < totalCount && topics.length > 0,
        endCursor: topics.length === 0 ? null : writeCursor(start + topics.length - 1),
      }),
    },
    Topic: topicResolvers(store),
    StudyReference: referenceResolvers(store),
    Verse: verseResolvers(store),
    CrossReference: {
      reference: ({ verse, reference }: VerseCrossReference) =>
        formatSpanIn(verse.translation, reference, store.verses),
      verses: ({ verse, reference }: VerseCrossReference, { first }: First, context: RequestContext) =>
        context.verses(verse.translation, reference, clampFirst(first, versesOfReference)),
      sources: ({ reference }: VerseCrossReference) => reference.sources,
    },
    Commentary: {
      id: ({ source }: Commentary) => source.id,
    },
    CommentaryNote: {
      reference: ({ span }: CommentaryNote) => referenceIn('eng', span, store),
    },
  };
}

const topicResolvers = (store: StudyStore) => ({
  __resolveReference: ({ id }: { id: string }) => store.topicById(id),
  id: ({ name }: Topic) => topicId(name),
  sections: (topic: Topic, _: unknown, context: RequestContext) => context.sections(topic),
  seeAlso: (topic: Topic, { first }: First) => store.seeAlso(topic, clampFirst(first, seeAlsoOfTopic)),
  source: () => store.topicalBible,
});

const referenceResolvers = (store: StudyStore) => ({
  reference: (span: VerseSpan, { language }: { language: string | null }) =>
    referenceIn(language === 'spa' ? 'spa' : 'eng', span, store),
  bookId: ({ first }: VerseSpan) => placeOf(first).book,
  verseCount: (span: VerseSpan) => store.verses.count(span),
  verses(
    span: VerseSpan,
    { translation, first }: First & { translation: string | null },
    context: RequestContext,
  ): StudyVerse[] {
    const target = store.translation(translation ?? defaultTranslation);
    return context.verses(target, span, clampFirst(first, versesOfReference));
  },
});

const verseResolvers = (store: StudyStore) => ({
  __resolveReference({ id }: { id: string }): StudyVerse | null {
    const parts = parseVerseId(id);
    if (!parts) return null;
    const translation = store.findTranslation(parts.translation);
    if (!translation?.hasVerse(parts)) return null;
    return { book: parts.book, chapter: parts.chapter, verse: parts.verse, translation };
  },
  id: ({ translation, book, chapter, verse }: StudyVerse) =>
    verseId({ translation: translation.identifier, book, chapter, verse }),
  topics: (verse: StudyVerse, { first }: First, context: RequestContext) =>
    context.topics(verse, clampFirst(first, topicsOfVerse)),
  async crossReferences(verse: StudyVerse, { first }: First, context: RequestContext): Promise<VerseCrossReference[]> {
    const references = await context.crossReferences(verse, clampFirst(first, crossReferencesOfVerse));
    return references.map((reference) => ({ verse, reference }));
  },
  commentary(verse: StudyVerse, { source, first }: First & { source: string | null }, context: RequestContext) {
    // Cuts off a long text, because each load keeps its arguments as a key. No commentary has an
    // identifier of more than `maxSourceLength` characters, so the cut text still names none.
    const id = source && source.length > maxSourceLength ? source.slice(0, maxSourceLength + 1) : source;
    return context.notes(verse, { source: id ?? null, first: clampFirst(first, notesOfVerse) });
  },
});

const referenceIn = (language: 'eng' | 'spa', span: VerseSpan, { verses }: StudyStore): string =>
  formatSpan(span, { verses, language, bookName: (book) => bookName(book, language) });
