import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, KeyRecord, Keys } from '@lectern/keys';
import { createOperatorSessionCookie } from '../admin/session';
import { sendNotFoundPage } from '../errors';
import { isSameOriginRequest } from '../forms/csrf';
import { checkText } from '../forms/fields';
import type { ConsumeRateLimit } from '../forms/form';
import { formatWait, formMethod, formRejections, retryAfterHeader, sendFormRejection } from '../forms/form';
import type { Html } from '../html';
import { html } from '../html';
import type { Route } from '../page';
import { queryOf, redirect, sendPage } from '../page';
import type { WordChoice } from './page';
import { renderSignOut, renderWord, renderWordForm } from './page';
import {
  concordancePath,
  concordanceSignInPath,
  concordanceSignInUrl,
  concordanceSignOutPath,
  parseWordPath,
  wordPath,
} from './paths';
import type { WordData } from './query';
import { translationsQuery, wordQuery } from './query';
import { createKeySignIn } from './sign-in';

/** The signed-in reader of a page. */
export type PageReader = { readonly kind: 'key'; readonly key: KeyRecord } | { readonly kind: 'operator' };

export type PageResult =
  | {
      readonly kind: 'executed';
      /** Null if the operation was rejected. */
      readonly data: unknown;
      readonly errors: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
    }
  /** The reader's key or address has no requests left. */
  | { readonly kind: 'rate-limited'; readonly retryAfterSeconds: number };

/** Executes an operation for a page, and counts it against the limits of the reader. */
export type ExecuteForPage = (
  request: IncomingMessage,
  reader: PageReader,
  operation: { readonly query: string; readonly variables: Readonly<Record<string, unknown>> },
) => Promise<PageResult>;

interface ConcordancePagesOptions {
  keys: Keys;
  environment: Environment;
  /**
   * The operators' shared password. Without a password (''), people sign in with an API key only.
   */
  password: string;
  /** Called for every attempt to sign in. */
  consumeRateLimit: ConsumeRateLimit;
  execute: ExecuteForPage;
  /** The deployment's secret, the same on every gateway. */
  formSecret: string;
  /** Whether browsers connect over https. */
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
}

/** The title, status and headers of a page, and its content above the form. */
interface ConcordanceView {
  readonly title: string;
  readonly main: Html;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

const maxWordLength = 100;

/**
 * The HTTP status by error code, for errors that a reader can correct. All other errors become 503.
 */
const statusByCode: Readonly<Record<string, number>> = { NOT_FOUND: 404, BAD_USER_INPUT: 400 };

/**
 * The routes `/concordance`, a form, and `/concordance/<translation>/<word>`, for readers who
 * signed in with an API key and for operators. No page has a script.
 */
export function createConcordancePages(options: ConcordancePagesOptions): Route[] {
  const { password, execute, now = Date.now } = options;
  const signIn = createKeySignIn({ ...options, hasOperatorPages: password !== '', now });
  const operatorSessionCookie = createOperatorSessionCookie(options);

  async function findReader(request: IncomingMessage): Promise<PageReader | null> {
    const key = await signIn.findKey(request);
    if (key) return { kind: 'key', key };
    return (await operatorSessionCookie.find(request)) && { kind: 'operator' };
  }

  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const method = formMethod(request);
    const isForm = path === concordanceSignInPath || path === concordanceSignOutPath;
    if (method === null || (method === 'POST' && !isForm))
      return sendFormRejection(response, formRejections.methodNotAllowed(isForm ? 'GET, HEAD, POST' : 'GET, HEAD'));
    if (method === 'POST') return submit(request, response, path);
    if (path === concordanceSignInPath) return signIn.show(request, response, queryOf(request).get('to') ?? '');
    if (path === concordanceSignOutPath) return redirect(response, concordancePath);
    const isStart = path === concordancePath || path === `${concordancePath}/`;
    const choice = isStart ? null : parseWordPath(path);
    if (!isStart && !choice) return sendNotFoundPage(response);
    const reader = await findReader(request);
    if (!reader) return redirect(response, concordanceSignInUrl(path));
    return choice ? showWord(request, response, reader, choice) : showStart(request, response, reader);
  }

  function submit(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void> {
    if (!isSameOriginRequest(request)) return sendFormRejection(response, formRejections.otherOrigin());
    return path === concordanceSignInPath ? signIn.submit(request, response) : signIn.signOut(request, response);
  }

  async function showStart(request: IncomingMessage, response: ServerResponse, reader: PageReader): Promise<void> {
    const query = queryOf(request);
    const [translation, word] = [query.get('translation') ?? '', (query.get('word') ?? '').trim()];
    // The form sends the translation and the word as a query string, and the page of a word names
    // both in its path.
    if (translation !== '' && word !== '') return redirect(response, wordPath(translation, word));
    const result = await execute(request, reader, { query: translationsQuery, variables: {} });
    const main = html`<p>Choose a translation and a word: the page shows the books that contain the word, the words near it, and its first lines.</p>\n`;
    return send(request, response, reader, {
      result,
      choice: { translation: '', word: '' },
      view: { title: 'Concordance', main },
    });
  }

  async function showWord(
    request: IncomingMessage,
    response: ServerResponse,
    reader: PageReader,
    choice: WordChoice,
  ): Promise<void> {
    const error = checkText(choice.word, { what: 'a word', maxLength: maxWordLength });
    const result = await execute(
      request,
      reader,
      error === null ? { query: wordQuery, variables: { ...choice } } : { query: translationsQuery, variables: {} },
    );
    const view = error === null ? viewOf(result, choice) : problemView(400, error);
    return send(request, response, reader, { result, choice: error === null ? choice : { ...choice, word: '' }, view });
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    reader: PageReader,
    { result, choice, view }: { result: PageResult; choice: WordChoice; view: ConcordanceView },
  ): void {
    const translations = dataOf(result).translations ?? [];
    const {
      title,
      main,
      status = 200,
      headers = {},
    } = result.kind === 'rate-limited' ? rateLimitedView(result.retryAfterSeconds) : view;
    const signOut = reader.kind === 'key' ? renderSignOut(signIn.issueToken(request, response)) : null;
    sendPage(
      response,
      status,
      { title, main: html`<h1>${title}</h1>\n${main}${renderWordForm(translations, choice)}${signOut}` },
      headers,
    );
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
