import type { VNode } from 'preact';

export interface BookCount {
  readonly bookId: string;
  readonly bookName: string;
  readonly count: number;
}

const height = 120;
const barWidth = 8;
const gap = 2;

/**
 * Bars for the number of verses in each book, and the same numbers as a table for those who cannot
 * see the bars.
 */
export function VersesByBookChart({ counts }: { counts: readonly BookCount[] }): VNode {
  const highest = Math.max(...counts.map(({ count }) => count));
  const width = counts.length * (barWidth + gap);
  const most = [...counts].sort((one, other) => other.count - one.count).slice(0, 3);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Verses in each of ${counts.length} books, most in ${most.map(({ bookName, count }) => `${bookName} (${count})`).join(', ')}`}
      >
        {counts.map(({ bookId, bookName, count }, index) => {
          const barHeight = Math.max(2, (count / highest) * height);
          return (
            <rect key={bookId} x={index * (barWidth + gap)} y={height - barHeight} width={barWidth} height={barHeight}>
              <title>{`${bookName}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{counts[0]?.bookName}</span> <span>{counts.length > 1 && counts.at(-1)?.bookName}</span>
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
                <th scope="row">{bookName}</th>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  );
}
