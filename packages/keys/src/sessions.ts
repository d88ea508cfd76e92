import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyStore, SqlScript } from './store/queries';
import { query } from './store/queries';
import type { Sessions } from './types';

interface SessionsDependencies {
  store: KeyStore;
  pepper: string;
  now: () => Date;
}

interface SessionRow {
  readonly proof: Buffer;
  readonly expiresAt: string;
}

const secretLength = 43;

/**
 * Creates the sessions of operators. The store has a digest of the cookie's secret, and a proof: an
 * HMAC of secret and password. Somebody who can read the store can sign in with neither. A new
 * password ends every session, because proofs no longer match. The CSRF token is derived from the
 * secret and is not stored.
 */
export function createSessions({ store, pepper, now }: SessionsDependencies): Sessions {
  const hmac = (purpose: string, ...texts: string[]): Buffer =>
    createHmac('sha256', pepper)
      .update(JSON.stringify([`session ${purpose}`, ...texts]))
      .digest();
  const digestOf = (secret: string) => hmac('digest', secret.slice(0, 2 * secretLength));
  const proofOf = (secret: string, password: string) => hmac('proof', secret.slice(0, 2 * secretLength), password);

  /** Inserts a session, and deletes expired sessions. */
  function* openScript(secret: string, password: string, seconds: number): SqlScript<void> {
    const at = now();
    yield* query('DELETE FROM operator_session WHERE expires_at <= $1', at.toISOString());
    const expiresAt = new Date(at.getTime() + seconds * 1_000).toISOString();
    yield* query(
      'INSERT INTO operator_session (digest, proof, expires_at) VALUES ($1, $2, $3)',
      digestOf(secret),
      proofOf(secret, password),
      expiresAt,
    );
  }

  return {
    async open({ password, seconds }) {
      const secret = randomBytes(32).toString('base64url');
      await store.write(openScript(secret, password, seconds));
      return secret;
    },
    async find(secret, password) {
      const [row] = await store.read(
        query<SessionRow>(
          'SELECT proof, expires_at AS "expiresAt" FROM operator_session WHERE digest = $1 AND expires_at > $2',
          digestOf(secret),
          now().toISOString(),
        ),
      );
      if (!row || !timingSafeEqual(row.proof, proofOf(secret, password))) return null;
      return { csrf: hmac('csrf', secret).toString('base64url'), expiresAt: row.expiresAt };
    },
    async end(secret) {
      await store.write(query('DELETE FROM operator_session WHERE digest = $1', digestOf(secret)));
    },
  };
}
