import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { Chapter } from '../api';
import { chapterPath, interlinearPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { ChapterPicker, type ChapterPlace } from '../components/chapter-picker';
import { PrintedChapter } from '../components/printed-chapter';
import { languageTag } from '../language-tag';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
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
    beside: query['beside'],
  };
  const { translation, book, chapter, beside } = place;
  const { changeSettings } = useReader();
  useEffect(() => {
    changeSettings({ translation, lastChapter: chapterPath(translation, book, chapter, { beside }) });
  }, [translation, book, chapter, beside]);
  const selected = Number(query['verse']) || null;

  return (
    <>
      <ChapterPicker place={place} />
      <div class={beside === undefined ? 'columns' : 'columns two'}>
        <Column {...place} selected={selected} isMain={true} />
        {beside !== undefined && <Column {...place} translation={beside} selected={selected} isMain={false} />}
      </div>
    </>
  );
}

function Column({
  translation,
  book,
  chapter,
  beside,
  selected,
  isMain,
}: ChapterPlace & { selected: number | null; isMain: boolean }): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.chapter(translation, book, chapter, signal), [api, translation, book, chapter]);
  const title = data.kind === 'loaded' ? `${data.value.book.name} ${data.value.number}` : '';
  useTitle(isMain ? title : null);
  return (
    <AsyncData data={data} {...(isMain && { heading: `${book} ${chapter}` })}>
      {(loaded) => (
        <section class="column" aria-label={`${title}, ${loaded.translation.name}`}>
          {isMain ? (
            <h1 lang={languageTag(loaded.translation.language)}>{title}</h1>
          ) : (
            <p class="column-title">{title}</p>
          )}
          <PrintedChapter chapter={loaded} selected={selected} />
          {isMain && (
            <p>
              <a href={interlinearPath(translation, book, chapter)}>Word by word with the Hebrew or Greek</a>
            </p>
          )}
          {isMain && <Neighbours chapter={loaded} beside={beside} />}
        </section>
      )}
    </AsyncData>
  );
}

/** Links to the chapters before and after. */
function Neighbours({ chapter, beside }: { chapter: Chapter; beside: string | undefined }): VNode {
  const { previous, next, translation } = chapter;
  const path = ({ bookId, number }: NonNullable<Chapter['next']>) =>
    chapterPath(translation.identifier, bookId, number, { beside });
  return (
    <nav class="neighbours" aria-label="Chapters before and after">
      {previous && (
        <a rel="prev" href={path(previous)}>
          ← {previous.bookName} {previous.number}
        </a>
      )}
      {next && (
        <a rel="next" href={path(next)}>
          {next.bookName} {next.number} →
        </a>
      )}
    </nav>
  );
}
