import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Environment, KeyRecord, Keys } from '@lectern/keys';
import { KeyRequestError } from '@lectern/keys';
import { equalsInConstantTime } from '../forms/csrf';
import { createHttpOnlyCookie } from '../forms/http-only-cookie';
import { concordancePath } from './concordance-and-sign-in-paths';

export interface KeyCookieOptions {
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
export function createKeyCookie({ keys, environment, secret, secureCookies, now }: KeyCookieOptions) {
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
