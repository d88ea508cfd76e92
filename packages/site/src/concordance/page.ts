import { type Html, html, renderTable } from '../page';

// Lengths in units of the SVG chart's `viewBox`, which the style sheet scales to the width of the page.
const rowHeight = 20;
const barHeight = 13;
const labelWidth = 125;
const barWidth = 195;
const width = 360;

/** Renders the counts by book as a table and a bar chart. Screen readers read the chart as one picture. */
function renderBookChart(books: readonly BookCount[]): Html {
  const max = Math.max(...books.map(({ count }) => count));
  const most = books.toSorted((a, b) => b.count - a.count).slice(0, 3);
  return html`<svg class="chart" role="img" aria-labelledby="chart-title chart-description" viewBox="0 0 ${width} ${books.length * rowHeight}">
<title id="chart-title">Verses in each book</title>
<desc id="chart-description">A bar for each of ${counted(books.length, 'book')}, as long as its number of verses. The most verses: ${most.map(({ bookName, count }) => `${bookName} (${count})`).join(', ')}.</desc>
${books.map((book, index) => renderBar(book, index * rowHeight, max))}</svg>
<details><summary>The same numbers as a table</summary>
${renderTable(
  'Verses in each book',
  ['Book', 'Verses'],
  books.map(({ bookName, count }) => [bookName, String(count)]),
)}</details>\n`;
}

function renderBar({ bookName, count }: BookCount, top: number, max: number): Html {
  const middle = top + rowHeight / 2;
  const length = Math.max(1, Math.round((barWidth * count) / max));
  return html`<text x="${labelWidth - 6}" y="${middle}" text-anchor="end" dominant-baseline="central">${bookName}</text><rect x="${labelWidth}" y="${top + (rowHeight - barHeight) / 2}" width="${length}" height="${barHeight}"/><text x="${labelWidth + length + 5}" y="${middle}" dominant-baseline="central">${count}</text>\n`;
}

/** A translation and a word, as the reader has chosen them. */
export interface WordChoice {
  readonly translation: string;
  readonly word: string;
}

/** Renders the form to choose a translation and a word. */
export const renderWordForm = (
  translations: NonNullable<WordData['translations']>,
  { translation, word }: WordChoice,
): Html => html`<form class="search" role="search" method="get" action="${concordancePath}">
<label for="translation">Translation</label>
<select id="translation" name="translation">${translations.map(({ identifier, name }) => html`<option value="${identifier}"${identifier === translation && html` selected`}>${name}</option>`)}</select>
<label for="word">Word</label>
<input id="word" name="word" type="search" autocomplete="off" maxlength="100" required value="${word}">
<p><button type="submit">Show the concordance</button></p>
</form>\n`;

/** Renders the sign-out button for a reader who has signed in with an API key. */
export const renderSignOut = (token: string): Html =>
  html`<form method="post" action="${concordanceSignOutPath}"><input type="hidden" name="token" value="${token}"><button class="plain" type="submit">Sign out</button></form>\n`;

/** Renders the counts by book, the collocates and the first concordance lines of a word. */
export function renderWord(
  { entry, edges, totalCount }: Concordance,
  { collocates, translations }: WordData,
  { translation, word }: WordChoice,
): Html {
  const name = translations?.find(({ identifier }) => identifier === translation)?.name ?? translation;
  if (entry.verseCount === 0) return html`<p>No verse of ${name} has the word <bdi>${word}</bdi>.</p>\n`;
  return html`<p>${name} has ${counted(entry.totalOccurrences, 'occurrence')} in ${counted(entry.verseCount, 'verse')}. Forms: <bdi>${entry.surfaceForms.join(', ')}</bdi>.</p>
<h2>Books</h2>
${renderBookChart(entry.occurrencesByBook)}<h2>Words near it</h2>
${renderCollocates(collocates, translation)}<h2>First lines</h2>
<dl class="lines">${edges.map(({ node }) => html`<dt>${node.verse.reference}</dt><dd><bdi>${renderContext(node.context)}</bdi></dd>\n`)}</dl>
${totalCount > edges.length && html`<p>The API has all ${totalCount} verses: send the query <code>concordance</code> in the <a href="/explorer">explorer</a>.</p>\n`}`;
}

function renderCollocates(collocates: WordData['collocates'], translation: string): Html {
  if (!collocates) return html`<p>They cannot be shown at the moment. Try again in a moment.</p>\n`;
  if (collocates.length === 0) return html`<p>No word occurs near it more often than chance explains.</p>\n`;
  return html`<p>These words stand at most four words before or after it more often than chance explains. Function words are left out.</p>
${renderTable(
  'Words near it',
  ['Word', 'Together', 'Before', 'After', 'Expected', 'Log-likelihood'],
  collocates.map(({ displayForm, together, before, after, expected, logLikelihood }) => [
    html`<a href="${wordPath(translation, displayForm)}"><bdi>${displayForm}</bdi></a>`,
    String(together),
    String(before),
    String(after),
    expected.toFixed(1),
    logLikelihood.toFixed(1),
  ]),
)}`;
}

/**
 * Renders escaped text with <mark>. The text is unescaped and escaped again, so that it can add no other element to the
 * page.
 */
const renderContext = (context: string): Html =>
  html`${context.split(/<\/?mark>/).map((text, index) => (index % 2 === 1 ? html`<mark>${unescape(text)}</mark>` : html`${unescape(text)}`))}`;

const unescape = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

export const translationsQuery = 'query ConcordancePageTranslations { translations { identifier name } }';

/** The query for everything on the page of a word. It costs 63 points of the 300 that are allowed by default. */
export const wordQuery = `query ConcordancePage($translation: String!, $word: String!) {
  translations { identifier name }
  concordance(translation: $translation, word: $word, first: 10) {
    totalCount
    entry { lemma surfaceForms totalOccurrences verseCount occurrencesByBook { bookId bookName count } }
    edges { node { context verse { reference } } }
  }
  collocates(translation: $translation, word: $word, first: 15) {
    displayForm together before after expected logLikelihood
  }
}`;

/** The data of the response to `wordQuery`. A field is null if the response has an error for it. */
export interface WordData {
  readonly translations?: readonly { readonly identifier: string; readonly name: string }[] | null;
  readonly concordance?: Concordance | null;
  readonly collocates?: readonly Collocate[] | null;
}

export interface Concordance {
  readonly totalCount: number;
  readonly entry: {
    readonly surfaceForms: readonly string[];
    readonly totalOccurrences: number;
    readonly verseCount: number;
    readonly occurrencesByBook: readonly BookCount[];
  };
  readonly edges: readonly {
    readonly node: { readonly context: string; readonly verse: { readonly reference: string } };
  }[];
}

export interface BookCount {
  readonly bookName: string;
  readonly count: number;
}

interface Collocate {
  readonly displayForm: string;
  readonly together: number;
  readonly before: number;
  readonly after: number;
  readonly expected: number;
  readonly logLikelihood: number;
}

/** The path of the page that asks for a translation and a word. */
export const concordancePath = '/concordance';
export const concordanceSignInPath = '/concordance/sign-in';
export const concordanceSignOutPath = '/concordance/sign-out';

/** Returns the path of the page of a word. */
export const wordPath = (translation: string, word: string): string =>
  `${concordancePath}/${encodeURIComponent(translation)}/${encodeURIComponent(word)}`;

/**
 * Returns whether a redirect after sign-in may lead to this path. Even if the word is `..`, which a browser resolves,
 * the redirect stays on this site.
 */
export const isConcordancePath = (path: string): boolean =>
  path === concordancePath || /^\/concordance\/[a-z0-9-]{1,100}\/[\w%~.!'()*-]{1,1200}$/.test(path);

export const safeReturnPath = (path: string): string => (isConcordancePath(path) ? path : concordancePath);

/**
 * Parses the path of the page of a word. Returns null for any other path, for malformed percent-encoding, and for an
 * impossible identifier of a translation.
 */
export function parseWordPath(path: string): { translation: string; word: string } | null {
  const [, page, translation = '', word = '', ...rest] = path.split('/');
  if (`/${page}` !== concordancePath || word === '' || rest.length > 0) return null;
  if (!/^[\w-]{1,100}$/.test(translation)) return null;
  try {
    return { translation, word: decodeURIComponent(word) };
  } catch {
    return null;
  }
}
