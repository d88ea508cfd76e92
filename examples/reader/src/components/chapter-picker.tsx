import type { VNode } from 'preact';
import { useLocation } from 'preact-iso';
import type { Book } from '../api';
import { chapterPath } from '../build-page-paths';
import { nameLanguage } from '../names';
import type { Data } from '../use-data';
import { TranslationSelect } from './translation-select';
import { useTranslation } from './translation-text';

export interface ChapterPlace {
  readonly translation: string;
  readonly book: string;
  readonly chapter: number;
  readonly beside: string | undefined;
}

/**
 * A form to choose the translation, the book, the chapter, and a second translation to show beside
 * the first.
 */
export function ChapterPicker({ place, books: data }: { place: ChapterPlace; books: Data<readonly Book[]> }): VNode {
  const { route } = useLocation();
  const language = useTranslation(place.translation)?.language ?? '';
  const books = data.kind === 'loaded' ? data.value : [];
  const chapterCount = books.find(({ bookId }) => bookId === place.book)?.chapterCount ?? place.chapter;
  const open = ({ translation, book, chapter, beside }: ChapterPlace) =>
    route(chapterPath(translation, book, chapter, { beside }));
  const chapters = Array.from({ length: Math.max(chapterCount, place.chapter) }, (_, index) => index + 1);

  return (
    <form class="picker" aria-label="Chapter">
      <TranslationSelect
        label="Translation"
        value={place.translation}
        onChange={(translation) => open({ ...place, translation })}
      />
      <label>
        Book
        <select
          value={place.book}
          onChange={(event) => open({ ...place, book: event.currentTarget.value, chapter: 1 })}
        >
          {books.length === 0 && <option value={place.book}>…</option>}
          {books.map(({ bookId, name }) => (
            <option key={bookId} value={bookId} lang={nameLanguage(name, language)}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="narrow">
        Chapter
        <select
          value={place.chapter}
          onChange={(event) => open({ ...place, chapter: Number(event.currentTarget.value) })}
        >
          {chapters.map((chapter) => (
            <option key={chapter} value={chapter}>
              {chapter}
            </option>
          ))}
        </select>
      </label>
      <TranslationSelect
        label="Beside it"
        none="nothing"
        value={place.beside ?? ''}
        onChange={(beside) => open({ ...place, beside })}
      />
    </form>
  );
}
