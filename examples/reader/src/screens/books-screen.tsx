import type { VNode } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import { booksPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { BookList } from '../components/book-list';
import { TranslationSelect } from '../components/translation-select';
import { TextSource } from '../components/translation-text';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/read/:translation`: the books and chapters of a translation. */
export function BooksScreen(): VNode {
  const { translation = '' } = useRoute().params;
  const { route } = useLocation();
  const { api } = useReader();
  const data = useData((signal) => api.books(translation, signal), [api, translation]);
  useTitle('Books');
  return (
    <>
      <h1>Books</h1>
      <form class="picker">
        <TranslationSelect label="Translation" value={translation} onChange={(chosen) => route(booksPath(chosen))} />
      </form>
      <AsyncData data={data}>
        {(books) => (
          <>
            <BookList translation={translation} books={books} />
            <TextSource translation={translation} />
          </>
        )}
      </AsyncData>
    </>
  );
}
