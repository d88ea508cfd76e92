import type { InterlinearOrder } from '@lectern/client';
import type { VNode } from 'preact';
import { useRoute } from 'preact-iso';
import { chapterPath, interlinearPath } from '../build-page-paths';
import { AsyncData } from '../components/async-data';
import { InterlinearColumns } from '../components/interlinear-columns';
import { LoadMore } from '../components/next-page-button';
import { Name, TextSource, useTranslation } from '../components/translation-text';
import { formatReference } from '../names';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { useTitle } from '../use-title';

/** A query for more verses would exceed the default cost limit of the service. */
const versesPerPage = 8;

interface Shown {
  readonly translation: string;
  readonly book: string;
  readonly chapter: number;
  readonly order: InterlinearOrder;
}

/** `/interlinear/:translation/:book/:chapter?order=`: a chapter word by word with its original. */
export function InterlinearScreen(): VNode {
  const { params, query } = useRoute();
  const shown: Shown = {
    translation: params['translation'] ?? '',
    book: params['book'] ?? '',
    chapter: Number(params['chapter']) || 1,
    order: query['order'] === 'TRANSLATION' ? 'TRANSLATION' : 'ORIGINAL',
  };
  const { translation, book: code, chapter, order } = shown;
  const { api } = useReader();
  const data = useData((signal) => api.books(translation, signal), [api, translation]);
  const isOriginalOrder = order === 'ORIGINAL';
  const language = useTranslation(translation)?.language;
  const name = data.kind === 'loaded' ? data.value.find(({ bookId }) => bookId === code)?.name : undefined;
  useTitle(name ? `${formatReference(`${name} ${chapter}`)} word by word` : null);
  return (
    <AsyncData data={data} heading="Word by word">
      {(books) => {
        const book = books.find(({ bookId }) => bookId === code);
        const verseCount = book?.chapters.find(({ number }) => number === chapter)?.verseCount ?? 1;
        return (
          <>
            <h1>
              <Name text={`${name ?? code} ${chapter}`} language={language} /> word by word
            </h1>
            <p>
              In the order of {isOriginalOrder ? 'the original' : 'the translation'}.{' '}
              <a href={interlinearPath(translation, code, chapter, isOriginalOrder ? 'TRANSLATION' : undefined)}>
                In the order of {isOriginalOrder ? 'the translation' : 'the original'}
              </a>
              . <a href={chapterPath(translation, code, chapter)}>Read the chapter</a>.
            </p>
            <Verses key={Object.values(shown).join(' ')} {...shown} from={1} verseCount={verseCount} />
            <TextSource translation={translation} />
          </>
        );
      }}
    </AsyncData>
  );
}

function Verses(props: Shown & { from: number; verseCount: number }): VNode {
  const { translation, book, chapter, order, from, verseCount } = props;
  const { api } = useReader();
  const to = from + versesPerPage - 1;
  const hasNextPage = to < verseCount;
  // Some chapters lack a number (Acts 8 has no verse 37), so their last number exceeds their count
  // of verses. The last page therefore asks for five more numbers.
  const last = hasNextPage ? to : to + 5;
  const reference = `${book} ${chapter}:${from}-${last}`;
  const language = useTranslation(translation)?.language;
  const data = useData((signal) => api.interlinearPassage(translation, reference, order, signal), [api]);
  return (
    <AsyncData data={data}>
      {({ verses }) => (
        <>
          {verses.map(({ id, reference: name, interlinear }) => (
            <section key={id} aria-label={formatReference(name)}>
              <h2>
                <Name text={name} language={language} />
              </h2>
              {interlinear && interlinear.length > 0 ? (
                <InterlinearColumns
                  translation={translation}
                  columns={interlinear}
                  isOriginalOrder={order === 'ORIGINAL'}
                />
              ) : (
                <p class="hint">The service has no Hebrew or Greek text of this verse.</p>
              )}
            </section>
          ))}
          <LoadMore pageInfo={{ hasNextPage, endCursor: String(to + 1) }}>
            {(next) => <Verses {...props} from={Number(next)} />}
          </LoadMore>
        </>
      )}
    </AsyncData>
  );
}
