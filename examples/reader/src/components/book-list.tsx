import type { VNode } from 'preact';
import type { Book } from '../api';
import { chapterPath } from '../build-page-paths';
import { formatReference } from '../names';
import { Name, useTranslation } from './translation-text';

/** The titles of the lists, with the values of the field `testament`. */
const testaments = { 'Old Testament': 'OT', 'New Testament': 'NT', 'Deuterocanonical books': 'DC' };

/** The books of a translation, each with links to its chapters. */
export function BookList({ translation, books }: { translation: string; books: readonly Book[] }): VNode {
  const language = useTranslation(translation)?.language;
  const lists = Object.entries(testaments).map(([title, code]) => ({
    title,
    books: books.filter(({ testament }) => testament === code),
  }));
  return (
    <>
      {lists
        .filter((list) => list.books.length > 0)
        .map((list) => (
          <section key={list.title}>
            <h2>{list.title}</h2>
            <div class="books">
              {list.books.map((book) => (
                <details key={book.bookId} name="book">
                  <summary>
                    <Name text={book.name} language={language} />
                  </summary>
                  <ChapterNumbers translation={translation} book={book} />
                </details>
              ))}
            </div>
          </section>
        ))}
    </>
  );
}

/** Links to the chapters of a book. */
export const ChapterNumbers = ({ translation, book }: { translation: string; book: Book }): VNode => (
  <p class="chapter-numbers">
    {book.chapters.map(({ number }) => (
      <a
        key={number}
        href={chapterPath(translation, book.bookId, number)}
        aria-label={formatReference(`${book.name} ${number}`)}
      >
        {number}
      </a>
    ))}
  </p>
);
