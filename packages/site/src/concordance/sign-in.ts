import type { IncomingMessage, ServerResponse } from 'node:http';
import { type KeyRecord, KeyRequestError } from '@lectern/keys';
import { createSignedCookie } from '../forms/cookies';
import { type FormOptions, formatWait, readForm, retryAfterHeader, sendRejection } from '../forms/form';
import { createSignInForm } from '../forms/sign-in';
import { html, redirect, sendMessage } from '../page';
import { concordancePath, concordanceSignInPath, safeReturnPath } from './page';

interface KeySignInOptions extends FormOptions {
  /** Whether operators can sign in here too. */
  hasOperatorPages: boolean;
}

/**
 * Creates the functions with which readers of the concordance sign in and out with an API key. The cookie contains the
 * id of the key, not the key itself. The key is looked up at each request, so revoking it signs the reader out.
 */
export function createKeySignIn({ hasOperatorPages, ...options }: KeySignInOptions) {
  const { keys, environment, consumeRateLimit } = options;
  const cookie = createSignedCookie({
    ...options,
    name: 'lectern-key',
    path: concordancePath,
    context: ['signed-in key', environment],
    seconds: 12 * 60 * 60,
  });
  const form = createSignInForm({
    ...options,
    path: concordanceSignInPath,
    field: {
      name: 'key',
      label: 'API key',
      kind: 'password',
      hint: 'This site stores a cookie for 12 hours. The cookie does not contain the key.',
    },
    intro: (_, returnPath) =>
      html`The concordance pages are for holders of an API key${hasOperatorPages && html` and for <a href="/admin/sign-in?to=${encodeURIComponent(returnPath)}">operators</a>`}. Each page counts as one request of your key. <a href="/api-keys/request">Request a key</a> if you have none.`,
    safeReturnPath,
    expired: { key: 'The form was open for too long, or your browser blocks cookies. Enter the key again.' },
  });

  return {
    /** Returns the active key that the cookie names. Returns null if the cookie or the key is not valid. */
    async findKey(request: IncomingMessage): Promise<KeyRecord | null> {
      const id = cookie.read(request);
      if (id === null) return null;
      try {
        const key = await keys.show(id);
        return key.revokedAt === null && key.environment === environment ? key : null;
      } catch (error) {
        if (error instanceof KeyRequestError) return null;
        throw error;
      }
    },

    /** Returns a CSRF token for the sign-out form. */
    issueToken: form.csrfTokens.issue,
    show: form.show,

    async submit(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const { allowed, retryAfterSeconds } = await consumeRateLimit(request);
      if (!allowed) {
        const text = `Nothing was saved. Try again in ${formatWait(retryAfterSeconds)}.`;
        return sendMessage(response, 429, 'Too many attempts', text, retryAfterHeader(retryAfterSeconds));
      }
      return form.submit(request, response, async (token) => {
        const found = await keys.authenticate(token.trim(), environment);
        if (found.kind !== 'caller')
          return { key: `This key is not valid here. Enter an active key that begins with svc_${environment}_.` };
        cookie.write(response, found.key.id);
        return null;
      });
    },

    async signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const submitted = await readForm(request, response);
      if (!submitted) return;
      if (!form.csrfTokens.verify(request, submitted.value('token')))
        return sendRejection(response, 'invalidCsrfToken');
      cookie.clear(response);
      return redirect(response, concordanceSignInPath);
    },
  };
}
