import type { Html } from '../html';
import { html } from '../html';
import { renderTable } from '../render-table';
import type { BookCount } from './concordance-query';

/**
 * Lengths in units of the chart's view box, which the style sheet scales to the width of the page.
 */
const rowHeight = 20;
const barHeight = 13;
const labelWidth = 125;
const barWidth = 195;
const width = 360;

/**
 * Renders the number of verses of each book as a bar chart and as a table. Screen readers read the
 * chart as one picture with a description.
 */
export function renderBookChart(books: readonly BookCount[]): Html {
  const max = Math.max(...books.map(({ count }) => count));
  const height = books.length * rowHeight;
  return html`<svg class="chart" role="img" aria-labelledby="chart-title chart-description" viewBox="0 0 ${width} ${height}">
<title id="chart-title">Verses in each book</title>
<desc id="chart-description">${describe(books)}</desc>
${books.map((book, index) => renderRow(book, index * rowHeight, max))}</svg>
<details><summary>The same numbers as a table</summary>
${renderTable(
  'Verses in each book',
  ['Book', 'Verses'],
  books.map(({ bookName, count }) => [bookName, String(count)]),
)}</details>\n`;
}

function renderRow({ bookName, count }: BookCount, top: number, max: number): Html {
  const middle = top + rowHeight / 2;
  const length = Math.max(1, Math.round((barWidth * count) / max));
  return html`<text x="${labelWidth - 6}" y="${middle}" text-anchor="end" dominant-baseline="central">${bookName}</text><rect x="${labelWidth}" y="${top + (rowHeight - barHeight) / 2}" width="${length}" height="${barHeight}"/><text x="${labelWidth + length + 5}" y="${middle}" dominant-baseline="central">${count}</text>\n`;
}

/** Names the books with the most verses. */
function describe(books: readonly BookCount[]): string {
  const most = books.toSorted((a, b) => b.count - a.count).slice(0, 3);
  const names = most.map(({ bookName, count }) => `${bookName} (${count})`).join(', ');
  return `A bar for each of ${books.length} ${books.length === 1 ? 'book' : 'books'}, as long as its number of verses. The most verses: ${names}.`;
}
