import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keys, Session } from '@lectern/keys';
import { createCsrfTokens } from '../forms/csrf';
import type { FieldErrors } from '../forms/form-field';
import { renderErrorSummary, renderField } from '../forms/form-field';
import { formatWait, retryAfterHeader, sendFormRejection } from '../forms/form-rejection';
import { createHttpOnlyCookie } from '../forms/http-only-cookie';
import type { ConsumeRateLimit } from '../forms/rate-limit';
import { isRefusal, readForm } from '../forms/read-form';
import { equalsInConstantTime } from '../forms/same-text';
import { redirect } from '../forms/see-other';
import { html } from '../html';
import { sendPage } from '../page';
import { operator } from './admin-route';
import { safeReturnPath, signInPath } from './return-path';

export interface SignInOptions {
  keys: Pick<Keys, 'sessions' | 'record'>;
  password: string;
  /** Every try counts, before the password is looked at. */
  consumeRateLimit: ConsumeRateLimit;
  clientAddress: (request: IncomingMessage) => string;
  formSecret: string;
  secureCookies: boolean;
  now: () => number;
}

const sessionSeconds = 12 * 60 * 60;
const formStaysOpenSeconds = 4 * 60 * 60;

/** Signing in and out with the operators' password. The cookie holds a secret made for this sign-in alone, whatever the browser brought along. */
export function createSignIn({
  keys,
  password,
  consumeRateLimit,
  clientAddress,
  formSecret,
  secureCookies,
  now,
}: SignInOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-operator', path: '/admin', secure: secureCookies });
  const tokens = createCsrfTokens({
    secret: formSecret,
    path: '/admin',
    secure: secureCookies,
    seconds: formStaysOpenSeconds,
    now,
  });

  interface Shown {
    to: string;
    status?: number;
    faults?: FieldErrors;
    headers?: Readonly<Record<string, string>>;
  }
  function show(
    request: IncomingMessage,
    response: ServerResponse,
    { to, status = 200, faults = {}, headers = {} }: Shown,
  ): void {
    const token = tokens.issue(request, response);
    const isOver = status === 200 && cookie.read(request) !== null;
    const main = html`<h1>Sign in</h1>
${renderErrorSummary(faults)}<p>${isOver ? 'Your session is over: sign in again.' : 'These pages are for those who run this service.'}</p>
<form method="post" action="${signInPath}" novalidate>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${to}">
${renderField({ name: 'password', label: 'Password', kind: 'password', autocomplete: 'current-password' }, '', faults)}<p><button type="submit">Sign in</button></p>
</form>`;
    sendPage(response, status, { title: status === 200 ? 'Sign in' : 'Problem: Sign in', main }, headers);
  }

  return {
    /** Null for somebody who is not signed in. */
    async sessionOf(request: IncomingMessage): Promise<Session | null> {
      const secret = cookie.read(request);
      return secret === null || secret === '' ? null : keys.sessions.find(secret, password);
    },

    show: (request: IncomingMessage, response: ServerResponse, to: string): void =>
      show(request, response, { to: safeReturnPath(to) }),

    async signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
      // Not recorded: who tries on and on must not fill the record.
      if (!allowed) {
        show(request, response, {
          to: '/admin',
          status: 429,
          faults: { '': `Too many tries from your network. Try again in ${formatWait(retryAfterSeconds)}.` },
          headers: retryAfterHeader(retryAfterSeconds),
        });
        return;
      }
      const form = await readForm(request);
      if (isRefusal(form)) {
        sendFormRejection(response, form);
        return;
      }
      const to = safeReturnPath(form.value('to'));
      if (!tokens.accepts(request, form.value('token'))) {
        show(request, response, {
          to,
          status: 403,
          faults: {
            '': 'The form had been open for too long, or your browser refuses cookies. Enter the password again.',
          },
        });
      } else if (equalsInConstantTime(form.value('password'), password)) {
        await end(request);
        const secret = await keys.sessions.open({ password, seconds: sessionSeconds });
        await keys.record({
          by: operator,
          act: 'sign-in',
          keyId: null,
          requestId: null,
          note: `from ${clientAddress(request)}`,
        });
        cookie.write(response, secret, sessionSeconds);
        redirect(response, to);
      } else {
        await keys.record({
          by: operator,
          act: 'sign-in refused',
          keyId: null,
          requestId: null,
          note: `from ${clientAddress(request)}`,
        });
        show(request, response, { to, status: 403, faults: { password: 'This is not the password.' } });
      }
    },

    async signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await end(request);
      await keys.record({
        by: operator,
        act: 'sign-out',
        keyId: null,
        requestId: null,
        note: `from ${clientAddress(request)}`,
      });
      cookie.clear(response);
      redirect(response, signInPath);
    },
  };

  async function end(request: IncomingMessage): Promise<void> {
    const secret = cookie.read(request);
    if (secret !== null && secret !== '') await keys.sessions.end(secret);
  }
}
