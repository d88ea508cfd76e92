import { parseVerseId, translationId, verseId } from '@lectern/canon';
import { referenceResolvers, topicId, type VerseSpan } from '@lectern/reference-works';
import { clampFirst, connectionResolvers } from '@lectern/subgraph';
import type { RequestContext, StudyVerse } from './context';
import { type NamedPassageArguments, namedPassagePage, namedPassageResolvers, namedPassagesOf } from './named-passages';
import type { Commentary, CommentaryNote, CrossReference, Topic } from './reader';
import { formatSpanIn, type StudyTranslation } from './spans';
import type { StudyStore, TopicArguments } from './store';

/** A cross reference, and the verse that has it. */
interface VerseCrossReference {
  readonly verse: StudyVerse;
  readonly reference: CrossReference;
}

type First = { first: number | null };

const defaultTranslation = 'eng-web';
const maxSourceLength = 100;

export function createResolvers(store: StudyStore) {
  const references = referenceResolvers(store.verses);
  return {
    Query: {
      topics: (_: unknown, args: TopicArguments) => store.topicPage(args),
      topic: (_: unknown, { name }: { name: string }) => store.topic(name),
      commentaries: () => store.commentaries,
      namedPassages: (_: unknown, args: NamedPassageArguments) => namedPassagePage(args),
    },
    TopicConnection: connectionResolvers,
    NamedPassageConnection: connectionResolvers,
    NamedPassage: namedPassageResolvers(store.verses),
    Topic: topicResolvers(store),
    StudyReference: {
      ...references,
      verses(
        span: VerseSpan,
        { translation, first }: First & { translation: string | null },
        context: RequestContext,
      ): StudyVerse[] {
        const target = store.translation(translation ?? defaultTranslation);
        return context.verses(target, span, clampFirst(first, 3, 50));
      },
    },
    Translation: { id: ({ identifier }: StudyTranslation) => translationId(identifier) },
    Verse: verseResolvers(store),
    CrossReference: {
      reference: ({ verse, reference }: VerseCrossReference) =>
        formatSpanIn(verse.translation, reference, store.verses),
      verses: ({ verse, reference }: VerseCrossReference, { first }: First, context: RequestContext) =>
        context.verses(verse.translation, reference, clampFirst(first, 3, 50)),
      sources: ({ reference }: VerseCrossReference) => reference.sources,
    },
    Commentary: {
      id: ({ source }: Commentary) => source.id,
    },
    CommentaryNote: {
      reference: ({ span }: CommentaryNote) => references.reference(span, { language: 'eng' }),
    },
  };
}

const topicResolvers = (store: StudyStore) => ({
  __resolveReference: ({ id }: { id: string }) => store.topicById(id),
  id: ({ name }: Topic) => topicId(name),
  sections: (topic: Topic, _: unknown, context: RequestContext) => context.sections(topic),
  seeAlso: (topic: Topic, { first }: First) => store.seeAlso(topic, clampFirst(first, 20, 100)),
  source: () => store.topicalBible,
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
    context.topics(verse, clampFirst(first, 10, 100)),
  namedPassages: (verse: StudyVerse, { first }: First) => namedPassagesOf(verse, clampFirst(first, 10, 100)),
  async crossReferences(verse: StudyVerse, { first }: First, context: RequestContext): Promise<VerseCrossReference[]> {
    const references = await context.crossReferences(verse, clampFirst(first, 10, 100));
    return references.map((reference) => ({ verse, reference }));
  },
  commentary(verse: StudyVerse, { source, first }: First & { source: string | null }, context: RequestContext) {
    // The loader stores a key of its arguments. A long text is cut off to save memory, and names no commentary.
    const id = source && source.length > maxSourceLength ? source.slice(0, maxSourceLength + 1) : source;
    return context.notes(verse, { source: id ?? null, first: clampFirst(first, 5, 20) });
  },
});
