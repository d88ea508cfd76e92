import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import type { SearchPage, SearchRequest } from '../api';
import { chapterPath, passagePath, searchPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { Highlighted } from '../components/highlighted';
import { LoadMore } from '../components/next-page-button';
import { parseMode, SearchForm } from '../components/search-form';
import { Name, TextSource, useTextAttributes, useTranslation } from '../components/translation-text';
import { VerseQuote } from '../components/verse-list-item';
import { formatVerseCount } from '../format-verse-count';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** `/search?translation=&query=&mode=`: the search form and the verses that were found. */
export function SearchScreen(): VNode {
  const { query = '', ...rest } = useRoute().query;
  const { settings } = useReader();
  const translation = rest['translation'] ?? settings.translation;
  const mode = parseMode(rest['mode']);
  const inputs = `${translation} ${mode} ${query}`;
  useTitle(query === '' ? 'Search' : `${query} · Search`);
  return (
    <>
      <h1>Search</h1>
      <SearchForm key={`form ${inputs}`} translation={translation} query={query} mode={mode} />
      {query.trim() !== '' && (
        <>
          <Results key={`results ${inputs}`} translation={translation} query={query} mode={mode} />
          <TextSource translation={translation} />
        </>
      )}
    </>
  );
}

function Results(request: SearchRequest): VNode {
  const { api } = useReader();
  const data = useData((signal) => api.search(request, signal), [api]);
  return (
    <AsyncData data={data}>
      {(page) => (
        <>
          {request.after === undefined && <Summary page={page} request={request} />}
          <ul class="verses">
            {page.edges.map(({ cursor, node, matches }) => (
              <VerseQuote
                key={cursor}
                translation={request.translation}
                reference={node.reference}
                path={chapterPath(node.translation.identifier, node.bookId, node.chapter, { verse: node.verse })}
              >
                <Highlighted text={node.text} spans={matches} />
              </VerseQuote>
            ))}
          </ul>
          <LoadMore pageInfo={page.pageInfo}>{(after) => <Results {...request} after={after} />}</LoadMore>
        </>
      )}
    </AsyncData>
  );
}

/**
 * The number of verses that were found, and hints: a reference in the query, a corrected query,
 * words that were left out, and whether the verses were found by their words alone.
 */
function Summary({ page, request }: { page: SearchPage; request: SearchRequest }): VNode {
  const { totalCount, suggestion, correctedQuery, relaxed, reference, mode } = page;
  const { translation } = request;
  const text = useTextAttributes(translation);
  const language = useTranslation(translation)?.language;
  return (
    <div role="status" class="summary">
      <p>{totalCount === 0 ? 'No verse was found.' : `${formatVerseCount(totalCount)} found.`}</p>
      {reference !== null && (
        <p>
          Go to{' '}
          <a href={passagePath(translation, reference)}>
            <Name text={reference} language={language} />
          </a>
        </p>
      )}
      <BookLink translation={translation} query={request.query} />
      {correctedQuery !== null && (
        <p>
          Nothing was found as typed. These verses are for: <bdi {...text}>{correctedQuery}</bdi>
        </p>
      )}
      {suggestion !== null && correctedQuery === null && (
        <p>
          Did you mean{' '}
          <a href={searchPath(translation, suggestion, request.mode)}>
            <bdi {...text}>{suggestion}</bdi>
          </a>
          ?
        </p>
      )}
      {mode === 'WORDS' && relaxed !== null && relaxed.length > 0 && (
        <p>
          No verse has all words. These were left out: <bdi {...text}>{relaxed.join(', ')}</bdi>.
        </p>
      )}
      {request.mode !== 'WORDS' && mode === 'WORDS' && <p>The verses were found by their words alone.</p>}
    </div>
  );
}

/** A link to the book whose name begins with the query. */
function BookLink({ translation, query }: Pick<SearchRequest, 'translation' | 'query'>): VNode | null {
  const { api } = useReader();
  const language = useTranslation(translation)?.language;
  const data = useData((signal) => api.books(translation, signal), [api, translation]);
  const start = query.trim().toLowerCase();
  if (data.kind !== 'loaded' || start.length < 3) return null;
  const book = data.value.find(({ name }) => name.toLowerCase().startsWith(start));
  const chapter = book?.chapters[0]?.number;
  if (!book || chapter === undefined) return null;
  return (
    <p>
      Go to the book{' '}
      <a href={chapterPath(translation, book.bookId, chapter)}>
        <Name text={book.name} language={language} />
      </a>
    </p>
  );
}
