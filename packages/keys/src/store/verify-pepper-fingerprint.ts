import type { SqlScript } from './sql-script-and-key-store-types';
import { query } from './sql-script-and-key-store-types';

interface FingerprintRow {
  readonly fingerprint: Buffer;
}

const selectFingerprint = (): SqlScript<readonly FingerprintRow[]> =>
  query<FingerprintRow>('SELECT fingerprint FROM pepper_fingerprint');

/**
 * Compares the fingerprint of this process's pepper with that in the store. The first process that opens
 * the store saves its fingerprint. Throws if the fingerprints differ: this process would accept no key of
 * the others, and the others would accept no key of this process.
 */
export function* verifyPepper(fingerprint: Buffer): SqlScript<void> {
  let [row] = yield* selectFingerprint();
  if (!row) {
    yield* query(
      'INSERT INTO pepper_fingerprint (only_row, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING',
      fingerprint,
    );
    [row] = yield* selectFingerprint();
  }
  if (!row?.fingerprint.equals(fingerprint))
    throw new Error(
      'its keys were made with another secret: give this process the same KEY_PEPPER as the others, or the same file key-pepper',
    );
}
