import type { VNode } from 'preact';
import type { Book } from '../api';
import { useReader } from '../reader-context';
import { useData } from '../use-data';
import { AsyncData } from './async-data';
import { Name, useTranslation } from './translation-text';

export interface BookCount {
  readonly bookId: string;
  readonly bookName: string;
  readonly count: number;
}

const height = 120;
const barWidth = 8;
const gap = 2;
/** Bars of a translation with fewer books are as narrow as those of one with this number. */
const minBars = 27;

/**
 * Bars for the number of verses in each book of a translation, also in those without any, and the
 * same numbers as a table for those who cannot see the bars.
 */
export function VersesByBookChart(props: { translation: string; counts: readonly BookCount[] }): VNode {
  const { translation } = props;
  const { api } = useReader();
  const data = useData((signal) => api.books(translation, signal), [api, translation]);
  return <AsyncData data={data}>{(books) => <Chart {...props} counts={addBooks(props.counts, books)} />}</AsyncData>;
}

/** Adds the books without a count, in the order of the translation. */
function addBooks(counts: readonly BookCount[], books: readonly Book[]): BookCount[] {
  const names = new Map(books.map(({ bookId, name }) => [bookId, name]));
  for (const { bookId, bookName } of counts) names.set(bookId, bookName);
  const countOf = new Map(counts.map(({ bookId, count }) => [bookId, count]));
  return [...names].map(([bookId, bookName]) => ({ bookId, bookName, count: countOf.get(bookId) ?? 0 }));
}

function Chart({ translation, counts }: { translation: string; counts: readonly BookCount[] }): VNode {
  const language = useTranslation(translation)?.language;
  const highest = Math.max(...counts.map(({ count }) => count));
  const width = Math.max(counts.length, minBars) * (barWidth + gap);
  const most = [...counts]
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .slice(0, 3);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Verses in each of ${counts.length} books, most in ${most.map(({ bookName, count }) => `${bookName} (${count})`).join(', ')}`}
      >
        {counts.map(({ bookId, bookName, count }, index) => {
          const barHeight = count === 0 ? 0 : Math.max(2, (count / highest) * height);
          return (
            <rect key={bookId} x={index * (barWidth + gap)} y={height - barHeight} width={barWidth} height={barHeight}>
              <title>{`${bookName}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <Name text={counts[0]?.bookName ?? ''} language={language} />{' '}
        {counts.length > 1 && <Name text={counts.at(-1)?.bookName ?? ''} language={language} />}
      </figcaption>
      <details>
        <summary>The numbers</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Book</th>
              <th scope="col">Verses</th>
            </tr>
          </thead>
          <tbody>
            {counts.map(({ bookId, bookName, count }) => (
              <tr key={bookId}>
                <th scope="row">
                  <Name text={bookName} language={language} />
                </th>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
