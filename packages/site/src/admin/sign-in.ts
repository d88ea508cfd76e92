import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCsrfTokens, createHttpOnlyCookie, createSignedCookie, equalsInConstantTime } from '../forms/cookies';
import {
  type FormErrors,
  formatWait,
  hasErrors,
  readForm,
  renderErrorSummary,
  renderField,
  retryAfterHeader,
} from '../forms/form';
import { type Html, type HttpHeaders, html, redirect, sendPage } from '../page';
import type { AdminContext, AdminOptions } from './layout';

const sessionSeconds = 12 * 60 * 60;

export const signInPath = '/admin/sign-in';

/** Returns the path of the sign-in page. After the sign-in, the browser goes to `target`. */
export const signInUrl = (target: string): string => `${signInPath}?to=${encodeURIComponent(safeReturnPath(target))}`;

/** Encoded, a longer path could exceed the length of headers that browsers and proxies accept. */
const maxReturnCharacters = 2_000;

/** Returns a page for operators, else `/admin`. Dots and % are not accepted, so that nobody is led elsewhere. */
const safeReturnPath = (path: string): string =>
  path.length <= maxReturnCharacters &&
  /^\/admin(\/[\w-]+)*(\?[\w%.~+=&*-]*)?$/.test(path) &&
  !path.startsWith(signInPath)
    ? path
    : '/admin';

interface SignInView {
  /** The path to open after the sign-in, as the client sent it. */
  to: string;
  status?: number;
  errors?: FormErrors;
  headers?: HttpHeaders;
}

/** The name in the audit log of operators who share one password, and of anybody with a wrong one. */
const anyOperator = 'operator';

const minPasswordCharacters = 12;

/** The names by which the audit log knows the form for key requests, the command, and operators without a name. */
const reservedNames = new Set(['form', 'command', anyOperator]);

/** Parses OPERATOR_PASSWORD: one for all operators, or several with names. Throws if one is malformed or not unique. */
export function parseOperators(text: string): { name: string; password: string }[] {
  if (text === '') return [];
  if (!text.includes(':') && text.length >= minPasswordCharacters) return [{ name: anyOperator, password: text }];
  // Earlier versions accepted a shared password with a colon. Its first part must not become the name of an operator.
  if (text.includes(':') && !text.includes(','))
    throw new Error(
      'has a colon and only one item, so it is not known whether it is one password or a name with a password. Write one password without a colon, or at least two names with passwords: NAME:PASSWORD,NAME:PASSWORD',
    );
  const operators = text.split(',').map((item) => {
    const [, name = '', password = ''] = /^\s*([a-z][\w.-]{0,39}):(.*)$/is.exec(item) ?? [];
    return { name, password: password.length < minPasswordCharacters ? '' : password };
  });
  const isReserved = operators.some(({ name }) => reservedNames.has(name.toLowerCase()));
  const words = operators.flatMap(({ name, password }) => [name.toLowerCase(), password]);
  if (!words.includes('') && !isReserved && new Set(words).size === words.length) return operators;
  throw new Error(
    'must be one password, or NAME:PASSWORD,NAME:PASSWORD with other names than form, command and operator, each with a password of its own. Passwords have at least 12 characters, and no colon, or in a list no comma',
  );
}

/** Passwords identify operators. Each sign-in creates a new session, which prevents session fixation. */
export function createSignIn(options: AdminOptions) {
  const operators = parseOperators(options.password);
  const { keys, secureCookies, consumeRateLimit, clientAddress, isBehindUntrustedProxy } = options;
  const cookie = createHttpOnlyCookie({ name: 'lectern-operator', path: '/admin', secureCookies });
  const csrfTokens = createCsrfTokens('/admin', options);
  const knownBrowser = createKnownBrowser(options);

  function show(
    request: IncomingMessage,
    response: ServerResponse,
    { to, status = 200, errors = {}, headers = {} }: SignInView,
  ): void {
    const isSessionOver = status === 200 && cookie.read(request) !== '';
    const intro = isSessionOver
      ? 'Your session is over: sign in again.'
      : 'These pages are for the operators of this service.';
    const main = renderSignIn(intro, csrfTokens.issue(request, response), to, errors);
    sendPage(response, status, { title: status === 200 ? 'Sign in' : 'Problem: Sign in', main }, headers);
  }

  async function endSession(request: IncomingMessage): Promise<void> {
    const secret = cookie.read(request);
    if (secret !== '') await keys.sessions.end(secret);
  }

  const recordAct = (request: IncomingMessage, act: string, by = anyOperator): Promise<void> =>
    keys.record({ by, act, keyId: null, requestId: null, note: `from ${clientAddress(request)}` });

  /** Checks the password. Returns the errors of the form, or sets the cookies of a new session and returns none. */
  async function openSession(
    request: IncomingMessage,
    response: ServerResponse,
    given: string,
    browserId: string | null,
  ): Promise<FormErrors> {
    // All passwords are compared, so that the duration does not tell which operator has the password.
    const matches = operators.map((each) => equalsInConstantTime(given, each.password));
    const operator = operators[matches.indexOf(true)];
    if (!operator) {
      await recordAct(request, 'sign-in rejected');
      return { password: 'The password is incorrect.' };
    }
    await endSession(request);
    const session = await keys.sessions.open({ password: operator.password, seconds: sessionSeconds });
    await recordAct(request, 'sign-in', operator.name);
    // A browser that is already known keeps its id.
    knownBrowser.write(response, browserId ?? randomBytes(16).toString('base64url'));
    cookie.write(response, session, sessionSeconds);
    return {};
  }

  /** Returns the session of a request, or null if the request has no valid session cookie. */
  async function findSession(request: IncomingMessage): Promise<AdminContext['session'] | null> {
    const secret = cookie.read(request);
    for (const { name, password } of secret === '' ? [] : operators) {
      const session = await keys.sessions.find(secret, password);
      if (session) return { ...session, operator: name };
    }
    return null;
  }

  return {
    show,
    findSession,

    async submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const browserId = knownBrowser.read(request);
      const subject = browserId === null ? undefined : `browser ${browserId}`;
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request, subject);
      // Attempts above the rate limit are not recorded, so that they cannot fill the audit log.
      if (!allowed) {
        const sharedAddress = isBehindUntrustedProxy(request)
          ? ' All clients share these attempts, because the service does not trust the proxy in front of it: the operator can set TRUSTED_PROXIES.'
          : '';
        const message = `Too many attempts from your network. Try again in ${formatWait(retryAfterSeconds)}.${sharedAddress}`;
        const headers = retryAfterHeader(retryAfterSeconds);
        return show(request, response, { to: '', status: 429, errors: { '': message }, headers });
      }
      const form = await readForm(request, response);
      if (!form) return;
      const errors = csrfTokens.verify(request, form.value('token'))
        ? await openSession(request, response, form.value('password'), browserId)
        : { '': 'The form was open for too long, or your browser blocks cookies. Enter the password again.' };
      const to = form.value('to');
      if (hasErrors(errors)) show(request, response, { to, status: 403, errors });
      else redirect(response, safeReturnPath(to));
    },

    /** Ends the session in the store too, so that a copy of the cookie becomes worthless. */
    async signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const session = await findSession(request);
      await endSession(request);
      await recordAct(request, 'sign-out', session?.operator);
      cookie.clear(response);
      redirect(response, signInPath);
    },
  };
}

const renderSignIn = (intro: string, token: string, to: string, errors: FormErrors): Html => html`<h1>Sign in</h1>
${renderErrorSummary(errors)}<p>${intro}</p>
<form method="post" action="${signInPath}" novalidate>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${safeReturnPath(to)}">
${renderField({ name: 'password', label: 'Password', kind: 'password', autocomplete: 'current-password' }, '', errors)}<p><button type="submit">Sign in</button></p>
</form>`;

/**
 * Creates the cookie of a browser that has signed in before. Its attempts count separately, so that strangers with the
 * same address cannot exhaust them. The cookie alone does not sign in, and ends with the password.
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
const createKnownBrowser = (options: AdminOptions) =>
  createSignedCookie({
    ...options,
    name: 'lectern-known-browser',
    path: '/admin',
    context: ['known browser', options.password],
    seconds: 180 * 24 * 60 * 60,
  });
