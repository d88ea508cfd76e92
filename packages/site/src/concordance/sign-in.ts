import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, KeyRecord, Keys } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import { createCsrfTokens, createHttpOnlyCookie, equalsInConstantTime } from '../forms/csrf';
import type { FormErrors } from '../forms/fields';
import { renderErrorSummary, renderField } from '../forms/fields';
import type { ConsumeRateLimit } from '../forms/form';
import { formRejections, readForm, sendFormRejection } from '../forms/form';
import { html } from '../html';
import { redirect, sendPage } from '../page';
import { concordancePath, concordanceSignInPath, safeReturnPath } from './paths';

interface KeyCookieOptions {
  keys: Pick<Keys, 'show'>;
  environment: Environment;
  /** The deployment's secret, the same on every gateway. */
  secret: string;
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

const sessionSeconds = 12 * 60 * 60;

/**
 * Creates the functions for the cookie of a signed-in key. The cookie has the id of the key, an
 * expiry and a signature, not the key. A revoked key is signed out at once, because the key is
 * looked up at each request.
 */
function createKeyCookie({ keys, environment, secret, secureCookies, now }: KeyCookieOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-key', path: concordancePath, secure: secureCookies });
  const sign = (keyId: string, expiresAt: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['signed-in key', environment, keyId, expiresAt]))
      .digest('base64url');
  return {
    /**
     * Finds the active key that a request's cookie names. Returns null without a valid cookie or
     * key.
     */
    async find(request: IncomingMessage): Promise<KeyRecord | null> {
      const [expiresAt = '', keyId = '', signature = ''] = (cookie.read(request) ?? '').split('.');
      if (!equalsInConstantTime(signature, sign(keyId, expiresAt)) || !(Number(expiresAt) >= now())) return null;
      try {
        const key = await keys.show(keyId);
        return key.revokedAt === null && key.environment === environment ? key : null;
      } catch (error) {
        if (error instanceof KeyRequestError) return null;
        throw error;
      }
    },

    /** Sets the cookie of a key for 12 hours. */
    write(response: ServerResponse, keyId: string): void {
      const expiresAt = String(now() + sessionSeconds * 1_000);
      cookie.write(response, `${expiresAt}.${keyId}.${sign(keyId, expiresAt)}`, sessionSeconds);
    },

    clear: cookie.clear,
  };
}

interface KeySignInOptions {
  keys: Pick<Keys, 'authenticate' | 'show'>;
  environment: Environment;
  /** Whether operators can sign in too. */
  hasOperatorPages: boolean;
  /** Called for every attempt, before the key is looked up. */
  consumeRateLimit: ConsumeRateLimit;
  /** The deployment's secret, the same on every gateway. */
  formSecret: string;
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

const csrfTokenSeconds = 4 * 60 * 60;

/**
 * Creates the functions that sign readers of the concordance pages in and out with their API key.
 */
export function createKeySignIn(options: KeySignInOptions) {
  const { keys, environment, hasOperatorPages, consumeRateLimit, formSecret, secureCookies, now } = options;
  const cookie = createKeyCookie({ keys, environment, secret: formSecret, secureCookies, now });
  const csrfTokens = createCsrfTokens({
    secret: formSecret,
    path: concordancePath,
    secure: secureCookies,
    seconds: csrfTokenSeconds,
    now,
  });

  function showForm(
    request: IncomingMessage,
    response: ServerResponse,
    { returnPath, status = 200, error = null }: { returnPath: string; status?: number; error?: string | null },
  ): void {
    const errors: FormErrors = error === null ? {} : { key: error };
    const token = csrfTokens.issue(request, response);
    const main = html`<h1>Sign in</h1>
${renderErrorSummary(errors)}<p>The concordance pages are for holders of an API key${hasOperatorPages ? html` and for <a href="/admin/sign-in?to=${encodeURIComponent(returnPath)}">operators</a>` : null}. Each page counts as one request of your key. <a href="/api-keys/request">Request a key</a> if you have none.</p>
<form method="post" action="${concordanceSignInPath}" novalidate>
<input type="hidden" name="token" value="${token}"><input type="hidden" name="to" value="${returnPath}">
${renderField({ name: 'key', label: 'API key', kind: 'password', autocomplete: 'off', hint: 'This site stores a cookie for 12 hours. The cookie does not contain the key.' }, '', errors)}<p><button type="submit">Sign in</button></p>
</form>`;
    sendPage(response, status, { title: status === 200 ? 'Sign in' : 'Problem: Sign in', main });
  }

  return {
    /**
     * Finds the active key that a request's cookie names. Returns null without a valid cookie or
     * key.
     */
    findKey: cookie.find,

    /** Returns a CSRF token for the form to sign out. */
    issueToken: csrfTokens.issue,

    /** Shows the form. `returnPath` is the path to open after sign-in, as the client sent it. */
    show: (request: IncomingMessage, response: ServerResponse, returnPath: string): void =>
      showForm(request, response, { returnPath: safeReturnPath(returnPath) }),

    /** Handles the submitted form. */
    async submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
      if (!allowed) return sendFormRejection(response, formRejections.rateLimited(retryAfterSeconds));
      const read = await readForm(request);
      if (read.kind === 'rejected') return sendFormRejection(response, read.rejection);
      const returnPath = safeReturnPath(read.form.value('to'));
      if (!csrfTokens.verify(request, read.form.value('token'))) {
        const error = 'The form was open for too long, or your browser blocks cookies. Enter the key again.';
        return showForm(request, response, { returnPath, status: 403, error });
      }
      const found = await keys.authenticate(read.form.value('key').trim(), environment);
      if (found.kind !== 'caller') {
        const error = `This key is not valid here. Enter an active key that begins with svc_${environment}_.`;
        return showForm(request, response, { returnPath, status: 403, error });
      }
      cookie.write(response, found.key.id);
      return redirect(response, returnPath);
    },

    /** Removes the cookie. */
    async signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const read = await readForm(request);
      if (read.kind === 'rejected') return sendFormRejection(response, read.rejection);
      if (!csrfTokens.verify(request, read.form.value('token')))
        return sendFormRejection(response, formRejections.invalidCsrfToken());
      cookie.clear(response);
      return redirect(response, concordanceSignInPath);
    },
  };
}
