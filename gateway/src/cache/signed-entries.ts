import { createHmac, timingSafeEqual } from 'node:crypto';

const sealBytes = 32;
/** Part of every name: answers that are written in another way have other names. */
const format = '1';

/**
 * Names and seals of answers that lie where others may write. Without the deployment's secret nobody can tell from a name what was asked, or put an
 * answer there that is taken for ours; a damaged one, or one from another place, does not fit its seal.
 */
export function createAnswerSeal(secret: string) {
  const key = createHmac('sha256', secret).update('kept answers').digest();
  const sealOf = (name: string, body: string | Buffer): Buffer =>
    createHmac('sha256', key).update(`answer ${name}\n`).update(body).digest();

  return {
    nameOf: (parts: readonly (string | number)[]): string =>
      createHmac('sha256', key)
        .update(`name ${JSON.stringify([format, ...parts])}`)
        .digest('base64url'),
    close: (name: string, body: string | Buffer): Buffer =>
      Buffer.concat([sealOf(name, body), typeof body === 'string' ? Buffer.from(body) : body]),
    /** Null for what was not sealed under this name with this secret. */
    open(name: string, sealed: Buffer): Buffer | null {
      if (sealed.length < sealBytes) return null;
      const body = sealed.subarray(sealBytes);
      return timingSafeEqual(sealed.subarray(0, sealBytes), sealOf(name, body)) ? body : null;
    },
  };
}
