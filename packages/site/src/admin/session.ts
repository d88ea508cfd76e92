import type { IncomingMessage } from 'node:http';
import type { Keys, Session } from '@lectern/keys';
import { createHttpOnlyCookie } from '../forms/csrf';

interface OperatorSessionCookieOptions {
  keys: Pick<Keys, 'sessions'>;
  /** The operators' shared password. Without a password (''), nobody is signed in. */
  password: string;
  secureCookies: boolean;
}

/**
 * Creates the cookie that holds the secret of an operator's session, and the function that finds
 * the session by the cookie. The cookie's path is `/`, because the concordance pages need the
 * session too.
 */
export function createOperatorSessionCookie({ keys, password, secureCookies }: OperatorSessionCookieOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-operator', path: '/', secure: secureCookies });
  return {
    cookie,
    /** Finds the session of a request. Returns null if the request has no valid session cookie. */
    async find(request: IncomingMessage): Promise<Session | null> {
      const secret = cookie.read(request);
      return password === '' || secret === null || secret === '' ? null : keys.sessions.find(secret, password);
    },
  };
}
