import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keys } from '@lectern/keys';
import { isConcordancePath } from '../concordance/concordance-and-sign-in-paths';
import { createCsrfTokens, equalsInConstantTime } from '../forms/csrf';
import type { FormErrors } from '../forms/form-fields-and-messages';
import { renderErrorSummary, renderField } from '../forms/form-fields-and-messages';
import { sendFormRejection } from '../forms/form-rejection';
import type { ConsumeRateLimit } from '../forms/rate-limit-type-and-retry-after';
import { formatWait, retryAfterHeader } from '../forms/rate-limit-type-and-retry-after';
import { readForm } from '../forms/read-form';
import { html } from '../html';
import { redirect, sendPage } from '../send-page-with-security-headers';
import { operator } from './admin-route-types';
import { createKnownBrowserCookie } from './device-cookie-for-sign-in-limit';
import { createOperatorSessionCookie } from './find-session-by-operator-cookie';

export interface SignInOptions {
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
