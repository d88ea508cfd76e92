import type { IncomingMessage } from 'node:http';
import type { Keys, Session } from '@lectern/keys';
import { createHttpOnlyCookie } from '../forms/http-only-cookie';

export interface OperatorSessionsOptions {
  keys: Pick<Keys, 'sessions'>;
  /** The operators' shared password. Without a password (''), nobody is signed in. */
  password: string;
  secureCookies: boolean;
}

/**
 * The cookie of operator sessions, and its sessions. The path of the cookie is `/`, because pages outside `/admin`
 * need the session too.
 */
export function createOperatorSessions({ keys, password, secureCookies }: OperatorSessionsOptions) {
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
