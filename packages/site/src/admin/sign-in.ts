import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Keys, Session } from '@lectern/keys';
import type { Faults } from '../forms/field';
import { renderFaults, renderField } from '../forms/field';
import { createFormTokens } from '../forms/form-tokens';
import type { Limit } from '../forms/limit';
import { createOwnCookie } from '../forms/own-cookie';
import { inMinutes, retryAfter, sendPageRefusal } from '../forms/page-refusal';
import { isRefusal, readForm } from '../forms/read-form';
import { sameText } from '../forms/same-text';
import { seeOther } from '../forms/see-other';
import { html } from '../html';
import { sendPage } from '../page';
import { returnPath, signInPath } from './return-path';
import { operator } from './visit';

export interface SignInParts {
  keys: Pick<Keys, 'sessions' | 'record'>;
  password: string;
  /** Every try counts, before the password is looked at. */
  limit: Limit;
  addressOf: (request: IncomingMessage) => string;
  pepper: string;
  secureCookies: boolean;
  now: () => number;
}

const sessionSeconds = 12 * 60 * 60;
const formStaysOpenSeconds = 4 * 60 * 60;

/** Signing in and out with the operators' password. The cookie holds a secret made for this sign-in alone, whatever the browser brought along. */
export function createSignIn({ keys, password, limit, addressOf, pepper, secureCookies, now }: SignInParts) {
  const cookie = createOwnCookie({ name: 'lectern-operator', path: '/admin', secure: secureCookies });
  const tokens = createFormTokens({
    secret: pepper,
    path: '/admin',
    secure: secureCookies,
    seconds: formStaysOpenSeconds,
    now,
  });

  interface Shown {
    to: string;
    status?: number;
    faults?: Faults;
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
${renderFaults(faults)}<p>${isOver ? 'Your session is over: sign in again.' : 'These pages are for those who run this service.'}</p>
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
      show(request, response, { to: returnPath(to) }),

    async signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { allowed, retryAfterSeconds } = await limit(request);
      // Not recorded: who tries on and on must not fill the record.
      if (!allowed) {
        show(request, response, {
          to: '/admin',
          status: 429,
          faults: { '': `Too many tries from your network. Try again in ${inMinutes(retryAfterSeconds)}.` },
          headers: retryAfter(retryAfterSeconds),
        });
        return;
      }
      const form = await readForm(request);
      if (isRefusal(form)) {
        sendPageRefusal(response, form);
        return;
      }
      const to = returnPath(form.value('to'));
      if (!tokens.accepts(request, form.value('token'))) {
        show(request, response, {
          to,
          status: 403,
          faults: {
            '': 'The form had been open for too long, or your browser refuses cookies. Enter the password again.',
          },
        });
      } else if (sameText(form.value('password'), password)) {
        await end(request);
        const secret = await keys.sessions.open({ password, seconds: sessionSeconds });
        await keys.record({
          by: operator,
          act: 'sign-in',
          keyId: null,
          requestId: null,
          note: `from ${addressOf(request)}`,
        });
        cookie.write(response, secret, sessionSeconds);
        seeOther(response, to);
      } else {
        await keys.record({
          by: operator,
          act: 'sign-in refused',
          keyId: null,
          requestId: null,
          note: `from ${addressOf(request)}`,
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
        note: `from ${addressOf(request)}`,
      });
      cookie.clear(response);
      seeOther(response, signInPath);
    },
  };

  async function end(request: IncomingMessage): Promise<void> {
    const secret = cookie.read(request);
    if (secret !== null && secret !== '') await keys.sessions.end(secret);
  }
}
