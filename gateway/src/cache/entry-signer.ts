import { createHmac, timingSafeEqual } from 'node:crypto';

const signatureBytes = 32;
/**
 * The version of the format of entries. The key of an entry depends on the version, so a gateway
 * never reads an entry of another format.
 */
const format = '1';

/**
 * Creates the functions that sign and verify cache entries, because other programs may write to
 * Redis too. Without the deployment's secret, a key does not reveal the request, and nobody can
 * forge an entry. A damaged entry, or an entry copied from another key, fails verification.
 */
export function createEntrySigner(secret: string) {
  const signingKey = createHmac('sha256', secret).update('cached responses').digest();
  const signatureOf = (key: string, body: string | Buffer): Buffer =>
    createHmac('sha256', signingKey).update(`entry ${key}\n`).update(body).digest();

  return {
    keyFor: (parts: readonly (string | number)[]): string =>
      createHmac('sha256', signingKey)
        .update(`key ${JSON.stringify([format, ...parts])}`)
        .digest('base64url'),
    /** Returns the signature followed by the body. */
    sign: (key: string, body: string | Buffer): Buffer =>
      Buffer.concat([signatureOf(key, body), typeof body === 'string' ? Buffer.from(body) : body]),
    /** Returns the body, or null if the entry was not signed for this key with this secret. */
    verify(key: string, entry: Buffer): Buffer | null {
      if (entry.length < signatureBytes) return null;
      const body = entry.subarray(signatureBytes);
      return timingSafeEqual(entry.subarray(0, signatureBytes), signatureOf(key, body)) ? body : null;
    },
  };
}
