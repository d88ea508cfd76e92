import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeysDependencies } from './key-requests';
import { query, queryOne, type SqlScript } from './store/queries';

export interface Session {
  /** The token that protects the session's forms against CSRF. It is derived from the secret in the cookie. */
  readonly csrf: string;
  readonly expiresAt: string;
}

const secretLength = 43;

/** Sessions of operators. An HMAC includes the password, so that a new password ends all. */
export function createSessions({ store, pepper, now }: KeysDependencies) {
  const hmac = (purpose: string, ...texts: string[]): Buffer =>
    createHmac('sha256', pepper)
      .update(JSON.stringify([`session ${purpose}`, ...texts]))
      .digest();
  const digestOf = (secret: string) => hmac('digest', secret.slice(0, 2 * secretLength));
  const proofOf = (secret: string, password: string) => hmac('proof', secret.slice(0, 2 * secretLength), password);

  function* openScript(secret: string, password: string, seconds: number): SqlScript<void> {
    const at = now();
    yield* query('DELETE FROM operator_session WHERE expires_at <= :at', { at: at.toISOString() });
    yield* query('INSERT INTO operator_session (digest, proof, expires_at) VALUES (:digest, :proof, :expiresAt)', {
      digest: digestOf(secret),
      proof: proofOf(secret, password),
      expiresAt: new Date(at.getTime() + seconds * 1_000).toISOString(),
    });
  }

  return {
    /** Opens a session and returns its secret for the cookie. `password` is the current password of the operators. */
    async open({ password, seconds }: { password: string; seconds: number }): Promise<string> {
      const secret = randomBytes(32).toString('base64url');
      await store.write(openScript(secret, password, seconds));
      return secret;
    },
    /** Returns the session, or null if it is unknown, expired or ended, or was opened with another password. */
    async find(secret: string, password: string): Promise<Session | null> {
      const session = await store.read(
        queryOne<{ proof: Buffer; expiresAt: string }>(
          'SELECT proof, expires_at AS "expiresAt" FROM operator_session WHERE digest = :digest AND expires_at > :now',
          { digest: digestOf(secret), now: now().toISOString() },
        ),
      );
      if (!session || !timingSafeEqual(session.proof, proofOf(secret, password))) return null;
      return { csrf: hmac('csrf', secret).toString('base64url'), expiresAt: session.expiresAt };
    },
    async end(secret: string): Promise<void> {
      await store.write(query('DELETE FROM operator_session WHERE digest = :digest', { digest: digestOf(secret) }));
    },
  };
}
