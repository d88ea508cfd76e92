import type { VNode } from 'preact';
import { useLocation, useRoute } from 'preact-iso';
import type { Book } from '../api';
import { booksPath, chapterPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { TranslationSelect } from '../components/translation-select';
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
            {Object.entries(testaments).map(([title, code]) => (
              <BookList
                key={code}
                title={title}
                translation={translation}
                books={books.filter(({ testament }) => testament === code)}
              />
            ))}
          </>
        )}
      </AsyncData>
    </>
  );
}

/** The titles of the lists, with the values of the field `testament`. */
const testaments = { 'Old Testament': 'OT', 'New Testament': 'NT', 'Deuterocanonical books': 'DC' };

function BookList({ title, translation, books }: { title: string; translation: string; books: Book[] }): VNode | null {
  if (books.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <div class="books">
        {books.map(({ bookId, name, chapters }) => (
          <details key={bookId} name="book">
            <summary>{name}</summary>
            <p class="chapter-numbers">
              {chapters.map(({ number }) => (
                <a key={number} href={chapterPath(translation, bookId, number)} aria-label={`${name} ${number}`}>
                  {number}
                </a>
              ))}
            </p>
          </details>
        ))}
      </div>
    </section>
  );
}
