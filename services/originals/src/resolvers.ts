import { bookName, parseVerseId, standardVerses, verseOrdinal } from '@lectern/canon';
import type { Corpus } from '@lectern/corpus';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from './context';
import { type OriginalVerse, parseWordId, wordId } from './reader';
import type { OriginalsStore } from './store';
import type { OriginalText } from './texts';
import { createWordFields } from './words';

/** A verse of a translation: its id, and the King James verses that it has. */
interface TranslationVerse {
  readonly id: string;
  readonly standard: readonly number[];
}

export function createResolvers({ reader }: OriginalsStore, corpus: Corpus) {
  const fields = reader && createWordFields(reader);
  return {
    Query: {
      originalTexts: (): readonly OriginalText[] => reader?.texts ?? [],
    },
    Verse: {
      __resolveReference({ id }: { id: string }): TranslationVerse | null {
        const parts = parseVerseId(id);
        const translation = parts && corpus.translation(parts.translation);
        const chapters = translation?.books.find(({ code }) => code === parts?.book)?.chapters;
        if (!parts || !translation || !chapters?.[parts.chapter - 1]?.includes(parts.verse)) return null;
        return { id, standard: standardVerses(translation.numbering, parts).map(verseOrdinal) };
      },
      original: ({ standard }: TranslationVerse, { text }: { text?: string | null }): OriginalVerse[] =>
        reader?.versesOf(standard, text ?? null) ?? [],
    },
    OriginalText: {
      attribution: ({ licence }: OriginalText) => licence.attribution,
    },
    OriginalVerse: {
      reference: ({ book, chapter, verse }: OriginalVerse, { language }: { language: string | null }) =>
        `${bookName(book, language ?? 'eng')} ${chapter}:${verse}`,
      bookId: ({ book }: OriginalVerse) => book,
      words(verse: OriginalVerse, _: unknown, context: RequestContext, info: GraphQLResolveInfo) {
        context.countWords(verse.wordCount, info);
        return context.words(verse);
      },
    },
    OriginalWord: {
      async __resolveReference({ id }: { id: string }, context: RequestContext) {
        const parts = parseWordId(id);
        const verse = parts && reader?.verse(parts.text, parts.place);
        return verse ? ((await context.words(verse))[parts.position - 1] ?? null) : null;
      },
      id: wordId,
      strongsNumber: ({ strongs }: { strongs: string | null }) => strongs,
      strongsLetter: ({ letter }: { letter: string | null }) => letter,
      ...fields,
    },
  };
}
