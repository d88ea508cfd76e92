import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keys } from '@lectern/keys';
import { isConcordancePath } from '../concordance/paths';
import { createCsrfTokens, createHttpOnlyCookie, equalsInConstantTime } from '../forms/csrf';
import type { FormErrors } from '../forms/fields';
import { renderErrorSummary, renderField } from '../forms/fields';
import type { ConsumeRateLimit } from '../forms/form';
import { formatWait, readForm, retryAfterHeader, sendFormRejection } from '../forms/form';
import { html } from '../html';
import { redirect, sendPage } from '../page';
import { operator } from './layout';
import { createOperatorSessionCookie } from './session';

interface KnownBrowserCookieOptions {
  /** The deployment's secret. */
  secret: string;
  /** The operators' password. A new password makes all browsers unknown. */
  password: string;
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

const knownSeconds = 180 * 24 * 60 * 60;

/**
 * Remembers the browsers in which an operator has signed in, by a signed cookie. Their attempts to
 * sign in are counted separately, so that strangers with the same address cannot exhaust the
 * attempts of an operator. The cookie alone signs nobody in.
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
function createKnownBrowserCookie({ secret, password, secureCookies, now }: KnownBrowserCookieOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-known-browser', path: '/admin', secure: secureCookies });
  const sign = (id: string, expiresAt: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['known browser', id, expiresAt, password]))
      .digest('base64url');

  /** Returns the id of a known browser. Returns null for any other browser. */
  const find = (request: IncomingMessage): string | null => {
    const [expiresAt = '', id = '', signature = ''] = (cookie.read(request) ?? '').split('.');
    return equalsInConstantTime(signature, sign(id, expiresAt)) && Number(expiresAt) >= now() ? id : null;
  };

  return {
    find,
    /** Makes the browser known, or known for longer. A known browser keeps its id. */
    remember(request: IncomingMessage, response: ServerResponse): void {
      const id = find(request) ?? randomBytes(16).toString('base64url');
      const expiresAt = String(now() + knownSeconds * 1_000);
      cookie.write(response, `${expiresAt}.${id}.${sign(id, expiresAt)}`, knownSeconds);
    },
  };
}

interface SignInOptions {
  keys: Pick<Keys, 'sessions' | 'record'>;
  password: string;
  /** Called for every attempt, before the password is compared. */
  consumeRateLimit: ConsumeRateLimit;
  clientAddress: (request: IncomingMessage) => string;
  isBehindUntrustedProxy: (request: IncomingMessage) => boolean;
  formSecret: string;
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

const sessionSeconds = 12 * 60 * 60;
const csrfTokenSeconds = 4 * 60 * 60;

export const signInPath = '/admin/sign-in';

/** Returns the path of the sign-in page that leads back to `target`. */
export const signInUrl = (target: string): string => `${signInPath}?to=${encodeURIComponent(safeReturnPath(target))}`;

/**
 * Returns the path if it is that of an operator's page or a concordance page, else `/admin`.
 * Sign-in therefore never redirects to another site. Before its query string, the path of an
 * operator's page has no dots and no percent-encoding, so it cannot lead out of `/admin`.
 */
function safeReturnPath(path: string): string {
  if (isConcordancePath(path)) return path;
  return /^\/admin(\/[\w-]+)*(\?[\w%.~+=&*-]*)?$/.test(path) && !path.startsWith(signInPath) ? path : '/admin';
}

/** The sign-in form with the path to return to. */
interface SignInView {
  returnPath: string;
  status?: number;
  errors?: FormErrors;
  headers?: Readonly<Record<string, string>>;
}

/**
 * Creates the functions that sign operators in and out with their shared password. Each sign-in
 * creates a new session and cookie, which prevents session fixation.
 */
export function createSignIn(options: SignInOptions) {
  const { keys, password, consumeRateLimit, clientAddress, isBehindUntrustedProxy, formSecret, secureCookies, now } =
    options;
  const knownBrowserCookie = createKnownBrowserCookie({ secret: formSecret, password, secureCookies, now });
  const { cookie: sessionCookie, find: findSession } = createOperatorSessionCookie({ keys, password, secureCookies });
  const csrfTokens = createCsrfTokens({
    secret: formSecret,
    path: '/admin',
    secure: secureCookies,
    seconds: csrfTokenSeconds,
    now,
  });

  const form = createSignInForm({ csrfTokens, sessionCookie, isBehindUntrustedProxy });

  async function endSession(request: IncomingMessage): Promise<void> {
    const secret = sessionCookie.read(request);
    if (secret !== null && secret !== '') await keys.sessions.end(secret);
  }

  const recordAct = (request: IncomingMessage, act: string): Promise<void> =>
    keys.record({ by: operator, act, keyId: null, requestId: null, note: `from ${clientAddress(request)}` });

  return {
    /** Finds the session of a request. Returns null if the request has no valid session cookie. */
    findSession,

    /** Shows the form. `returnPath` is the path to open after sign-in, as the client sent it. */
    show: (request: IncomingMessage, response: ServerResponse, returnPath: string): void =>
      form.show(request, response, { returnPath: safeReturnPath(returnPath) }),

    /** Handles the submitted form. */
    async submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const browserId = knownBrowserCookie.find(request);
      const { allowed, retryAfterSeconds } = await consumeRateLimit(
        request,
        browserId === null ? undefined : `browser ${browserId}`,
      );
      // Attempts above the rate limit are not recorded, so that they cannot fill the audit log.
      if (!allowed) {
        form.showRateLimited(request, response, retryAfterSeconds);
        return;
      }
      const read = await readForm(request);
      if (read.kind === 'rejected') {
        sendFormRejection(response, read.rejection);
        return;
      }
      const returnPath = safeReturnPath(read.form.value('to'));
      if (!csrfTokens.verify(request, read.form.value('token'))) {
        const message = 'The form was open for too long, or your browser blocks cookies. Enter the password again.';
        form.show(request, response, { returnPath, status: 403, errors: { '': message } });
      } else if (equalsInConstantTime(read.form.value('password'), password)) {
        await endSession(request);
        const secret = await keys.sessions.open({ password, seconds: sessionSeconds });
        await recordAct(request, 'sign-in');
        knownBrowserCookie.remember(request, response);
        sessionCookie.write(response, secret, sessionSeconds);
        redirect(response, returnPath);
      } else {
        await recordAct(request, 'sign-in rejected');
        form.show(request, response, { returnPath, status: 403, errors: { password: 'The password is incorrect.' } });
      }
    },

    /** Ends the session in the store, so that a copy of the cookie is worthless. */
    async signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await endSession(request);
      await recordAct(request, 'sign-out');
      sessionCookie.clear(response);
      redirect(response, signInPath);
    },
  };
}

interface SignInFormParts {
  csrfTokens: ReturnType<typeof createCsrfTokens>;
  sessionCookie: ReturnType<typeof createOperatorSessionCookie>['cookie'];
  isBehindUntrustedProxy: (request: IncomingMessage) => boolean;
}

function createSignInForm({ csrfTokens, sessionCookie, isBehindUntrustedProxy }: SignInFormParts) {
  function show(
    request: IncomingMessage,
    response: ServerResponse,
    { returnPath, status = 200, errors = {}, headers = {} }: SignInView,
  ): void {
    const token = csrfTokens.issue(request, response);
    const isSessionOver = status === 200 && sessionCookie.read(request) !== null;
    const main = html`<h1>Sign in</h1>
${renderErrorSummary(errors)}<p>${isSessionOver ? 'Your session is over: sign in again.' : 'These pages are for the operators of this service.'}</p>
<form method="post" action="${signInPath}" novalidate>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${returnPath}">
${renderField({ name: 'password', label: 'Password', kind: 'password', autocomplete: 'current-password' }, '', errors)}<p><button type="submit">Sign in</button></p>
</form>`;
    sendPage(response, status, { title: status === 200 ? 'Sign in' : 'Problem: Sign in', main }, headers);
  }

  return {
    show,

    showRateLimited(request: IncomingMessage, response: ServerResponse, retryAfterSeconds: number): void {
      const sharedAddress =
        ' All clients share these attempts, because the service does not trust the proxy in front of it: the operator can set TRUSTED_PROXIES.';
      const message = `Too many attempts from your network. Try again in ${formatWait(retryAfterSeconds)}.${isBehindUntrustedProxy(request) ? sharedAddress : ''}`;
      show(request, response, {
        returnPath: '/admin',
        status: 429,
        errors: { '': message },
        headers: retryAfterHeader(retryAfterSeconds),
      });
    },
  };
}
