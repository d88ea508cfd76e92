import { bookName, parseVerseId, translationId } from '@lectern/canon';
import { type Corpus, licenceTerms } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import type { GraphQLResolveInfo } from 'graphql';
import { hasVerse, type TranslationVerse, translationVerse } from './alignment/aligned-verses';
import { alignmentResolvers } from './alignment/resolvers';
import type { RequestContext } from './context';
import { createLexiconResolvers } from './lexicons/resolvers';
import { type OriginalVerse, type OriginalWord, parseWordId, wordId } from './reader';
import { searchResolvers } from './search/resolvers';
import type { SearchArguments } from './search/search';
import type { OriginalText } from './texts';
import { glossIn, unpointed, wordResolvers } from './word-resolvers';

const defaultTranslation = 'eng-web';

export function createResolvers(corpus: Corpus) {
  const { Query, OriginalWord: lexiconsOfWord, ...lexicons } = createLexiconResolvers(corpus);
  return {
    ...lexicons,
    Query: {
      ...Query,
      originalTexts: (_: unknown, __: unknown, { store }: RequestContext): readonly OriginalText[] =>
        store.reader.texts,
      searchOriginals: (_: unknown, args: SearchArguments, { store, work }: RequestContext) =>
        store.reader.texts.length === 0 ? null : work.runInSteps(store.search.search(args)),
    },
    Translation: { id: ({ identifier }: { identifier: string }) => translationId(identifier) },
    Verse: {
      __resolveReference({ id }: { id: string }): TranslationVerse | null {
        const parts = parseVerseId(id);
        const translation = parts && corpus.translation(parts.translation);
        if (!parts || !translation || !hasVerse(translation, parts)) return null;
        return translationVerse(translation, parts);
      },
      translation: ({ parts: { translation: identifier } }: TranslationVerse) => ({ identifier }),
      original: (
        { parts, standard }: TranslationVerse,
        { text }: { text?: string | null },
        { store }: RequestContext,
      ): OriginalVerse[] => store.reader.versesOf(parts, standard, text ?? null),
      ...alignmentResolvers.Verse,
    },
    InterlinearColumn: alignmentResolvers.InterlinearColumn,
    Word: alignmentResolvers.Word,
    OriginalText: {
      licence: ({ licence }: OriginalText) => ({ ...licenceTerms(licence.code), ...licence }),
      attribution: ({ licence }: OriginalText) => licence.attribution,
    },
    OriginalVerse: {
      reference: ({ book, chapter, verse }: OriginalVerse, { language }: { language: string | null }) =>
        `${bookName(book, language ?? 'eng')} ${chapter}:${verse}`,
      bookId: ({ book }: OriginalVerse) => book,
      words(verse: OriginalVerse, _: unknown, context: RequestContext, info: GraphQLResolveInfo) {
        context.countWords(verse.wordCount, info);
        return context.store.reader.words(verse);
      },
      unpointed(verse: OriginalVerse, _: unknown, context: RequestContext, info: GraphQLResolveInfo): string {
        context.countWords(verse.wordCount, info);
        const words = context.store.reader.words(verse);
        return words
          .map(({ before, surface, after }) => before + unpointed(surface) + after)
          .join('')
          .trimEnd();
      },
      verses(
        verse: OriginalVerse,
        { translation: identifier }: { translation: string | null },
        { store }: RequestContext,
      ): TranslationVerse[] {
        const translation = corpus.translation(identifier ?? defaultTranslation);
        if (!translation) throw errors.translationNotFound(identifier ?? '');
        return store.aligner.placesOf(translation, verse).map((place) => translationVerse(translation, place));
      },
    },
    OriginalWord: {
      __resolveReference({ id }: { id: string }, { store: { reader } }: RequestContext): OriginalWord | null {
        const parts = parseWordId(id);
        const verse = parts && reader.verse(parts.text, parts.place);
        return verse && parts.position >= 1 && parts.position <= verse.wordCount
          ? reader.wordAt(verse, parts.position)
          : null;
      },
      id: wordId,
      strongsNumber: ({ strongs }: { strongs: string | null }) => strongs,
      strongs: ({ strongs }: { strongs: string | null }) => strongs && { number: strongs },
      strongsLetter: ({ letter }: { letter: string | null }) => letter,
      ...lexiconsOfWord,
      ...wordResolvers,
      ...alignmentResolvers.OriginalWord,
    },
    OriginalSegment: { gloss: glossIn },
    ...searchResolvers,
  };
}
