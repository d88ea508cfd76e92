import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Session } from '@lectern/keys';
import { isConcordancePath } from '../concordance/page';
import { createHttpOnlyCookie, createSignedCookie, equalsInConstantTime } from '../forms/cookies';
import { type FormOptions, formatWait, retryAfterHeader } from '../forms/form';
import { createSignInForm } from '../forms/sign-in';
import { redirect } from '../page';
import { type AdminOptions, operator } from './layout';

interface OperatorSessionOptions extends Pick<FormOptions, 'keys' | 'secureCookies'> {
  /** The operators' shared password. Without a password (''), nobody is signed in. */
  password: string;
}

/** The cookie's path is `/`, because the concordance pages need the session too. */
export function createOperatorSession({ keys, password, secureCookies }: OperatorSessionOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-operator', path: '/', secureCookies });
  return {
    cookie,
    /** Returns null if the request has no valid session cookie. */
    async find(request: IncomingMessage): Promise<Session | null> {
      const secret = cookie.read(request);
      return password === '' || secret === '' ? null : keys.sessions.find(secret, password);
    },
  };
}

const sessionSeconds = 12 * 60 * 60;

export const signInPath = '/admin/sign-in';

/** Returns the path of the sign-in page that leads back to `target`. */
export const signInUrl = (target: string): string => `${signInPath}?to=${encodeURIComponent(safeReturnPath(target))}`;

/** Operators' and concordance pages, else `/admin`. Without dots and % it cannot lead elsewhere. */
function safeReturnPath(path: string): string {
  if (isConcordancePath(path)) return path;
  return /^\/admin(\/[\w-]+)*(\?[\w%.~+=&*-]*)?$/.test(path) && !path.startsWith(signInPath) ? path : '/admin';
}

/** Operators share one password. Each sign-in creates a new session: no session fixation. */
export function createSignIn(options: AdminOptions) {
  const { keys, password, consumeRateLimit, clientAddress, isBehindUntrustedProxy } = options;
  const { cookie, find: findSession } = createOperatorSession(options);

  // Remembers the browsers in which an operator has signed in. Their attempts are counted
  // separately, so that strangers with the same address cannot exhaust the attempts of an operator.
  // The cookie alone signs nobody in, and a new password makes all browsers unknown.
  // https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
  const knownBrowser = createSignedCookie({
    ...options,
    name: 'lectern-known-browser',
    path: '/admin',
    context: ['known browser', password],
    seconds: 180 * 24 * 60 * 60,
  });

  const form = createSignInForm({
    ...options,
    path: signInPath,
    field: { name: 'password', label: 'Password', kind: 'password', autocomplete: 'current-password' },
    intro: (request, _, status) =>
      status === 200 && cookie.read(request) !== ''
        ? 'Your session is over: sign in again.'
        : 'These pages are for the operators of this service.',
    safeReturnPath,
    expired: { '': 'The form was open for too long, or your browser blocks cookies. Enter the password again.' },
  });

  async function endSession(request: IncomingMessage): Promise<void> {
    const secret = cookie.read(request);
    if (secret !== '') await keys.sessions.end(secret);
  }

  const recordAct = (request: IncomingMessage, act: string): Promise<void> =>
    keys.record({ by: operator, act, keyId: null, requestId: null, note: `from ${clientAddress(request)}` });

  return {
    findSession,
    show: form.show,

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
        return form.show(request, response, { to: '', status: 429, errors: { '': message }, headers });
      }
      return form.submit(request, response, async (secret) => {
        if (!equalsInConstantTime(secret, password)) {
          await recordAct(request, 'sign-in rejected');
          return { password: 'The password is incorrect.' };
        }
        await endSession(request);
        const session = await keys.sessions.open({ password, seconds: sessionSeconds });
        await recordAct(request, 'sign-in');
        // A known browser keeps its id.
        knownBrowser.write(response, browserId ?? randomBytes(16).toString('base64url'));
        cookie.write(response, session, sessionSeconds);
        return null;
      });
    },

    /** Ends the session in the store, so that a copy of the cookie is worthless. */
    async signOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
      await endSession(request);
      await recordAct(request, 'sign-out');
      cookie.clear(response);
      redirect(response, signInPath);
    },
  };
}
