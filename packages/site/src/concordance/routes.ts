import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyRecord } from '@lectern/keys';
import { queryOf, type Route } from '@lectern/serving';
import { createOperatorSession } from '../admin/sign-in';
import { acceptMethod, checkText, type FormOptions, formatWait, retryAfterHeader } from '../forms/form';
import { type Html, type HttpHeaders, html, redirect, sendNotFoundPage, sendPage } from '../page';
import {
  concordancePath,
  concordanceSignInPath,
  concordanceSignOutPath,
  parseWordPath,
  renderSignOut,
  renderWord,
  renderWordForm,
  safeReturnPath,
  translationsQuery,
  type WordChoice,
  type WordData,
  wordPath,
  wordQuery,
} from './page';
import { createKeySignIn } from './sign-in';

/** Who is signed in: the holder of a key or an operator. */
export type PageReader = { readonly kind: 'key'; readonly key: KeyRecord } | { readonly kind: 'operator' };

export type PageResult =
  | {
      readonly kind: 'executed';
      /** The data of the response. Null if the operation was rejected. */
      readonly data: unknown;
      readonly errors: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
    }
  /** The limit of the reader's key or address is exhausted. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number };

/** Executes an operation for a page, and counts it against the limits of the reader. */
export type ExecuteForPage = (
  request: IncomingMessage,
  reader: PageReader,
  operation: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
) => Promise<PageResult>;

interface ConcordancePagesOptions extends FormOptions {
  /** The password that the operators share. If empty, only holders of a key can sign in. */
  password: string;
  execute: ExecuteForPage;
}

/** The title, status and headers of a page, and its content, which is above the form. */
interface ConcordanceView {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  readonly headers?: HttpHeaders;
}

/** The HTTP status of each error that a reader can correct. All other errors are sent with 503. */
const statusByCode: Readonly<Record<string, number>> = { NOT_FOUND: 404, BAD_USER_INPUT: 400 };

/**
 * Creates the concordance pages: a form, and `/concordance/<translation>/<word>`. Holders of keys and operators can
 * open the pages, which need no script.
 */
export function createConcordancePages({ password, execute, ...options }: ConcordancePagesOptions): Route[] {
  const signIn = createKeySignIn({ ...options, hasOperatorPages: password !== '' });
  const operatorSession = createOperatorSession({ ...options, password });

  async function findReader(request: IncomingMessage): Promise<PageReader | null> {
    const key = await signIn.findKey(request);
    if (key) return { kind: 'key', key };
    return (await operatorSession.find(request)) && { kind: 'operator' };
  }

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const isForm = path === concordanceSignInPath || path === concordanceSignOutPath;
    const method = acceptMethod(request, response, isForm ? 'GET, HEAD, POST' : 'GET, HEAD');
    if (!method) return;
    if (path === concordanceSignInPath)
      return method === 'POST'
        ? signIn.submit(request, response)
        : signIn.show(request, response, { to: queryOf(request.url ?? '').get('to') ?? '' });
    if (path === concordanceSignOutPath)
      return method === 'POST' ? signIn.signOut(request, response) : redirect(response, concordancePath);
    const isStart = path === concordancePath || path === `${concordancePath}/`;
    const choice = isStart ? null : parseWordPath(path);
    if (!isStart && !choice) return sendNotFoundPage(response);
    const reader = await findReader(request);
    if (!reader) return redirect(response, `${concordanceSignInPath}?to=${encodeURIComponent(safeReturnPath(path))}`);
    return choice ? showWord(request, response, reader, choice) : showStart(request, response, reader);
  }

  async function showStart(request: IncomingMessage, response: ServerResponse, reader: PageReader): Promise<void> {
    const query = queryOf(request.url ?? '');
    const [translation, word] = [query.get('translation') ?? '', (query.get('word') ?? '').trim()];
    // The form sends translation and word in the query string. The page of a word has them in its path.
    if (translation !== '' && word !== '') return redirect(response, wordPath(translation, word));
    const result = await execute(request, reader, { query: translationsQuery, variables: {} });
    const main = html`<p>Choose a translation and a word: the page shows the books that contain the word, the words near it, and its first lines.</p>\n`;
    const choice = { translation: '', word: '' };
    return send(request, response, reader, { result, choice, view: { title: 'Concordance', main } });
  }

  async function showWord(
    request: IncomingMessage,
    response: ServerResponse,
    reader: PageReader,
    choice: WordChoice,
  ): Promise<void> {
    const error = checkText(choice.word, { what: 'a word', maxLength: 100 });
    if (error === null) {
      const result = await execute(request, reader, { query: wordQuery, variables: { ...choice } });
      return send(request, response, reader, { result, choice, view: viewOf(result, choice) });
    }
    const result = await execute(request, reader, { query: translationsQuery, variables: {} });
    return send(request, response, reader, { result, choice: { ...choice, word: '' }, view: problemView(400, error) });
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    reader: PageReader,
    { result, choice, view }: { result: PageResult; choice: WordChoice; view: ConcordanceView },
  ): void {
    const isLimited = result.kind === 'rate-limited';
    const { title, main, status = 200, headers } = isLimited ? rateLimitedView(result.retryAfterSeconds) : view;
    const form = renderWordForm(dataOf(result).translations ?? [], choice);
    const signOut = reader.kind === 'key' && renderSignOut(signIn.issueToken(request, response));
    sendPage(response, status, { title, main: html`<h1>${title}</h1>\n${main}${form}${signOut}` }, headers);
  }

  return [
    { path: concordancePath, handle },
    { path: `${concordancePath}/`, handle },
  ];
}

function viewOf(result: PageResult, choice: WordChoice): ConcordanceView {
  const data = dataOf(result);
  if (data.concordance)
    return { title: `Concordance: ${choice.word}`, main: renderWord(data.concordance, data, choice) };
  const [error] = result.kind === 'executed' ? result.errors : [];
  const status = statusByCode[error?.extensions?.code ?? ''];
  return status === undefined || !error
    ? problemView(503, 'The concordance cannot be shown at the moment. Try again in a moment.')
    : problemView(status, `${error.message}.`);
}

const problemView = (status: number, text: string): ConcordanceView => ({
  status,
  title: 'Problem: Concordance',
  main: html`<p class="error">${text}</p>\n`,
});

const rateLimitedView = (seconds: number): ConcordanceView => ({
  ...problemView(429, `There are no requests left. Try again in ${formatWait(seconds)}.`),
  headers: retryAfterHeader(seconds),
});

const dataOf = (result: PageResult): WordData => (result.kind === 'executed' ? ((result.data ?? {}) as WordData) : {});
