import { parseVerseWordId, type VerseParts, verseWordId } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { GraphQLResolveInfo } from 'graphql';
import type { RequestContext } from '../context';
import type { OriginalWord } from '../reader';
import { type AlignedVerse, originalsOf, overlap, type Span, wordsThatRender } from './aligned-verses';
import { type Column, columnsOf, type InterlinearOrder, renderingOf } from './interlinear';

export interface TranslatedWord {
  readonly id: string;
  readonly verse: VerseParts;
  readonly start: number;
}

export interface InterlinearColumn extends Column {
  /** Whether the column is the first of its verse. The renderings of a verse count as one verse. */
  readonly isFirst: boolean;
}

const translatedWord = ({ parts: verse }: AlignedVerse, { start }: Span): TranslatedWord => ({
  id: verseWordId(verse, start),
  verse,
  start,
});

export const alignmentResolvers = {
  Verse: {
    async interlinear(
      { parts }: { parts: VerseParts },
      { order }: { order: InterlinearOrder | null },
      context: RequestContext,
      info: GraphQLResolveInfo,
    ): Promise<InterlinearColumn[]> {
      const verse = await context.alignedVerse(parts);
      const columns = verse ? columnsOf(verse, order ?? 'ORIGINAL') : [];
      context.countWords(columns.length, info);
      return columns.map((column, index) => ({ ...column, isFirst: index === 0 }));
    },
  },
  InterlinearColumn: {
    originalWords: ({ originals }: Column) => originals,
    rendering(column: InterlinearColumn, _: unknown, { work }: RequestContext) {
      if (column.isFirst) work.verses.add(column.verse.parts.translation);
      return renderingOf(column);
    },
    words: ({ verse, words }: Column) => words.map((word) => translatedWord(verse, word)),
  },
  Word: {
    __resolveReference({ id }: { id: string }): TranslatedWord | null {
      const parts = parseVerseWordId(id);
      return parts && { id, ...parts };
    },
    async originalWords(
      { verse, start }: TranslatedWord,
      _: unknown,
      context: RequestContext,
      info: GraphQLResolveInfo,
    ): Promise<OriginalWord[]> {
      const aligned = await context.alignedVerse(verse);
      const word = aligned?.words().find((each) => each.start === start);
      if (!aligned || !word) return [];
      const words = originalsOf(
        aligned,
        aligned.tags.filter((tag) => overlap(tag, word)),
      );
      context.countWords(words.length, info);
      return words;
    },
  },
  OriginalWord: {
    async renderings(
      word: OriginalWord,
      { translation }: { translation: string },
      context: RequestContext,
      info: GraphQLResolveInfo,
    ): Promise<TranslatedWord[]> {
      const verses = await context.versesThatRender(word.verse, translation);
      if (!verses) throw errors.translationNotFound(translation);
      const words = verses.flatMap((verse) => wordsThatRender(verse, word).map((each) => translatedWord(verse, each)));
      context.countWords(words.length, info);
      return words;
    },
  },
};
