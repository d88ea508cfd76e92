import { books } from '@lectern/canon';
import type { Corpus } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { referenceResolvers, type VerseSpan } from '@lectern/reference-works';
import { clampFirst } from '@lectern/subgraph';
import type { GraphQLResolveInfo } from 'graphql';
import { translationVerse } from '../alignment/aligned-verses';
import type { RequestContext } from '../context';
import type { OriginalWord } from '../reader';
import { maxIdLength, standardVerses } from './context';
import { type LexiconEntry, lexiconOf } from './entry';
import type { Occurrences } from './queries';
import type { RichText, TextSpan } from './rich-text';

type First = { first: number | null };

const defaultTranslation = 'eng-web';

/** Counts the field values before they are resolved, to reject early: an entry has up to 1,000 spans. */
function counted<Item>(items: readonly Item[], { lexicons }: RequestContext, info: GraphQLResolveInfo) {
  lexicons.countItems(items.length, info);
  return items;
}
const countedSpans = ({ spans }: RichText, _: unknown, context: RequestContext, info: GraphQLResolveInfo) =>
  counted(spans, context, info);

export function createLexiconResolvers(corpus: Corpus) {
  return {
    Query: {
      async lexiconEntry(_: unknown, { id }: { id: string }, { lexicons }: RequestContext): Promise<LexiconEntry> {
        const entry = await lexicons.entry(id);
        if (!entry) throw errors.lexiconEntryNotFound(id.slice(0, maxIdLength));
        return entry;
      },
    },
    StrongsEntry: {
      __resolveReference: ({ number }: { number: string }) => ({ number }),
      lexicons: ({ number }: { number: string }, _: unknown, { lexicons }: RequestContext) =>
        lexicons.entriesOfNumber(number),
    },
    OriginalWord: {
      lexicons: async (
        { strongs, letter }: Pick<OriginalWord, 'strongs' | 'letter'>,
        _: unknown,
        { lexicons }: RequestContext,
      ) => {
        const entries = strongs === null ? [] : await lexicons.entriesOfNumber(strongs);
        return entries.filter((entry) => {
          const own = entry.strongs.filter(({ number }) => number === strongs);
          // An entry without the number itself is that of the number's lemma.
          return own.length === 0 || letter === null || own.some((each) => ['', letter].includes(each.letter));
        });
      },
    },
    LexiconEntry: {
      __resolveReference: ({ id }: { id: string }, { lexicons }: RequestContext) => lexicons.entry(id),
      lexicon: ({ id }: LexiconEntry) => lexiconOf(id),
      numbers: ({ strongs }: LexiconEntry) => strongs,
      text: ({ text }: LexiconEntry) => text.text,
      spans: ({ text }: LexiconEntry, _: unknown, context: RequestContext, info: GraphQLResolveInfo) =>
        counted(text.spans, context, info),
      senses: ({ senses }: LexiconEntry, _: unknown, context: RequestContext, info: GraphQLResolveInfo) =>
        counted(senses, context, info),
      related: (entry: LexiconEntry, { first }: First, { lexicons }: RequestContext) =>
        lexicons.related(entry, clampFirst(first, 20, 100)),
      occurrences: (entry: LexiconEntry, _: unknown, { lexicons }: RequestContext) => lexicons.occurrences(entry),
    },
    LexiconNumber: {
      letter: ({ letter }: { letter: string }) => letter || null,
      strongs: ({ number }: { number: string }) => ({ number }),
    },
    LexiconSense: { spans: countedSpans },
    LexiconText: { spans: countedSpans },
    LexiconSpan: {
      language: ({ language }: TextSpan) => language ?? null,
      entryId: ({ entry }: TextSpan) => entry ?? null,
      reference: ({ verses }: TextSpan) => verses ?? null,
    },
    LexiconReference: {
      ...referenceResolvers(standardVerses),
      verses(
        span: VerseSpan,
        { translation, first }: First & { translation: string | null },
        { lexicons }: RequestContext,
      ) {
        const identifier = translation ?? defaultTranslation;
        const target = corpus.translation(identifier);
        if (!target) throw errors.translationNotFound(identifier);
        const places = lexicons.verses(target, span, clampFirst(first, 3, 50));
        return places.map((place) => translationVerse(target, place));
      },
    },
    LexiconOccurrences: {
      totalCount: ({ books: counts }: Occurrences) => counts.reduce((sum, { words }) => sum + words, 0),
      byBook: ({ books: counts }: Occurrences) =>
        counts.map(({ book, words }) => ({ bookId: books[book - 1]?.code, count: words })),
      formCount: ({ forms }: Occurrences) => forms.length,
      byForm: ({ forms }: Occurrences, { first }: First) =>
        forms.slice(0, clampFirst(first, 10, 100)).map(({ surface, words }) => ({ form: surface, count: words })),
    },
  };
}
