import type { NamedPassage, PassageSpan } from '@lectern/canon';
import {
  findNamedPassages,
  namedPassageById,
  namedPassages,
  namedPassagesAt,
  toStandard,
  verseOrdinal,
} from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { StandardVerses, VerseSpan } from '@lectern/reference-works';
import { type Page, type PageArguments, readPage } from '@lectern/subgraph';
import type { StudyVerse } from './context';
import { maxQueryLength } from './store';

/** A named passage, and the language (ISO 639-3) in which its names are shown. */
export interface LocalizedPassage {
  readonly passage: NamedPassage;
  readonly language: 'eng' | 'spa';
}

export interface NamedPassageArguments extends PageArguments {
  readonly query?: string | null;
  readonly language?: string | null;
}

/** Returns one page of named passages. Throws `tooLong` or `invalidCursor`. */
export function namedPassagePage({ query, language, ...page }: NamedPassageArguments): Page<LocalizedPassage> {
  const text = query ?? '';
  if ([...text].length > maxQueryLength) throw errors.tooLong('query', maxQueryLength);
  const { start, limit } = readPage(page);
  const names = language && /^(es|spa)(-|$)/i.test(language) ? 'spa' : 'eng';
  const found =
    text.trim() === ''
      ? namedPassages()
      : findNamedPassages(text, { language: names, limit: Number.POSITIVE_INFINITY }).map(({ passage }) => passage);
  const nodes = found.slice(start, start + limit).map((passage) => ({ passage, language: names }) as const);
  return { totalCount: found.length, start, nodes };
}

export function namedPassagesOf({ translation, ...place }: StudyVerse, limit: number): LocalizedPassage[] {
  const language = translation.language === 'spa' ? 'spa' : 'eng';
  const standard = toStandard(translation.numbering, place);
  const found = standard ? namedPassagesAt(standard).slice(0, limit) : [];
  return found.map((passage) => ({ passage, language }));
}

export const namedPassageResolvers = (verses: StandardVerses) => ({
  __resolveReference({ id }: { id: string }): LocalizedPassage | null {
    const passage = namedPassageById(id);
    return passage && { passage, language: 'eng' };
  },
  id: ({ passage }: LocalizedPassage) => passage.id,
  name: ({ passage, language }: LocalizedPassage) => passage.names[language][0],
  otherNames: ({ passage, language }: LocalizedPassage) => passage.names[language].slice(1),
  kind: ({ passage }: LocalizedPassage) => passage.kind,
  passages: ({ passage }: LocalizedPassage) => passage.passages.flat().map((span) => spanOf(span, verses)),
});

const spanOf = ({ start, end }: PassageSpan, verses: StandardVerses): VerseSpan => ({
  first: verseOrdinal({ ...start, verse: start.verse ?? 1 }),
  last:
    end.verse === null
      ? (verses.chapterSpan(end.book, end.chapter)?.last ?? 0)
      : verseOrdinal({ ...end, verse: end.verse }),
});
