import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Book, Chapter } from '../api';
import { chapterPath, interlinearPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { BookList, ChapterNumbers } from '../components/book-list';
import { ChapterPicker, type ChapterPlace } from '../components/chapter-picker';
import { ParallelVerses } from '../components/parallel-verses';
import { PrintedVerses } from '../components/printed-chapter';
import { Name, TextSource, useTranslation } from '../components/translation-text';
import { textAttributes } from '../language-tag';
import { formatReference } from '../names';
import { useReader } from '../reader-context';
import { type Data, useData } from '../use-data';
import { useTitle } from '../use-title';

/**
 * `/read/:translation/:book/:chapter?verse=&beside=`: a chapter to read, in one translation or in
 * two side by side.
 */
export function ChapterScreen(): VNode {
  const { params, query } = useRoute();
  const place: ChapterPlace = {
    translation: params['translation'] ?? '',
    book: params['book'] ?? '',
    chapter: Number(params['chapter']) || 1,
    // A translation beside itself is the translation alone.
    beside: query['beside'] === params['translation'] ? undefined : query['beside'],
  };
  const { translation, book: code, chapter, beside } = place;
  const { api, changeSettings } = useReader();
  const books = useData((signal) => api.books(translation, signal), [api, translation]);
  const data = useData((signal) => api.chapter(translation, code, chapter, signal), [api, translation, code, chapter]);
  useEffect(() => {
    if (data.kind !== 'loaded') return;
    changeSettings({ translation, lastChapter: chapterPath(translation, code, chapter, { beside }) });
  }, [data.kind, translation, code, chapter, beside]);
  const book = books.kind === 'loaded' ? books.value.find(({ bookId }) => bookId === code) : undefined;
  const title = book ? formatReference(`${book.name} ${chapter}`) : '';
  useTitle(title);
  if (data.kind === 'failed' && books.kind === 'loaded' && !book?.chapters.some(({ number }) => number === chapter))
    return <MissingChapter place={place} books={books} book={book} />;
  return (
    <>
      <ChapterPicker place={place} books={books} />
      <AsyncData data={data} heading={title || 'Chapter'}>
        {(loaded) => <ShownChapter chapter={loaded} beside={beside} selected={parseSelection(query['verse'])} />}
      </AsyncData>
    </>
  );
}

interface ShownChapterProps {
  readonly chapter: Chapter;
  /** The identifier of the translation to show beside the chapter. */
  readonly beside: string | undefined;
  readonly selected: Selection;
}

/** The numbers of the verses to scroll to and to mark: the first and the last one. */
export type Selection = readonly [first: number, last: number];

function parseSelection(text = ''): Selection {
  const [first = 0, last = first] = text.split('-').map(Number);
  return [first, last];
}

function ShownChapter({ chapter, beside, selected }: ShownChapterProps): VNode {
  const { book, number, translation, verses } = chapter;
  return (
    <>
      <h1>
        <Name text={`${book.name} ${number}`} language={translation.language} />
      </h1>
      {beside === undefined ? (
        <PrintedVerses
          verses={verses}
          translation={translation}
          chapter={number}
          isSelected={({ verse }) => verse >= selected[0] && verse <= selected[1]}
        />
      ) : (
        <ParallelVerses chapter={chapter} beside={beside} selected={selected} />
      )}
      <TextSource translation={translation.identifier} />
      {beside !== undefined && <TextSource translation={beside} />}
      <p>
        <a href={interlinearPath(translation.identifier, book.bookId, number)}>Word by word with the Hebrew or Greek</a>
      </p>
      <Neighbours chapter={chapter} beside={beside} />
    </>
  );
}

/** Links to the chapters before and after, in the direction of the translation. */
function Neighbours({ chapter, beside }: Omit<ShownChapterProps, 'selected'>): VNode {
  const { previous, next, translation } = chapter;
  const { dir } = textAttributes(translation);
  const [back, forward] = dir === 'rtl' ? ['→', '←'] : ['←', '→'];
  const link = (rel: 'prev' | 'next', { bookId, bookName, number }: NonNullable<Chapter['next']>) => (
    <a rel={rel} href={chapterPath(translation.identifier, bookId, number, { beside })}>
      {rel === 'prev' && `${back} `}
      <Name text={`${bookName} ${number}`} language={translation.language} />
      {rel === 'next' && ` ${forward}`}
    </a>
  );
  return (
    <nav class="neighbours" dir={dir} aria-label="Chapters before and after">
      {previous && link('prev', previous)}
      {next && link('next', next)}
    </nav>
  );
}

interface MissingChapterProps {
  readonly place: ChapterPlace;
  readonly books: Data<readonly Book[]> & { kind: 'loaded' };
  /** Undefined if the translation does not have the book. */
  readonly book: Book | undefined;
}

/** Says which chapters or books the translation has. */
function MissingChapter({ place, books, book }: MissingChapterProps): VNode {
  const { translation, chapter } = place;
  const { name = translation, language } = useTranslation(translation) ?? {};
  const shownName = <Name text={name} language={language} />;
  if (!book)
    return (
      <>
        <h1>No such book</h1>
        <p role="alert">
          {shownName} has no book {place.book}. It has these books:
        </p>
        <BookList translation={translation} books={books.value} />
      </>
    );
  return (
    <>
      <ChapterPicker place={place} books={books} />
      <h1>No such chapter</h1>
      <p role="alert">
        <Name text={book.name} language={language} /> has no chapter {chapter} in {shownName}. It has these chapters:
      </p>
      <ChapterNumbers translation={translation} book={book} />
    </>
  );
}
