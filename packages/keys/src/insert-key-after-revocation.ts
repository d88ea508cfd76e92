import { KeyRequestError } from './keys-types';
import type { KeyRow } from './store/key-queries';
import { insertKey, selectActiveKey } from './store/key-queries';
import type { SqlScript } from './store/sql-script-generator-and-key-store-types';

/**
 * Inserts the key that replaces a key which the same script has revoked. Throws if another active
 * key has the address, so that the revocation is undone: keys from before domains were compared in
 * ASCII may have two spellings of one address.
 */
export function* insertReplacementKey(row: KeyRow): SqlScript<void> {
  if (yield* insertKey(row)) return;
  const other = yield* selectActiveKey(row.address, row.environment);
  throw new KeyRequestError(
    `Another ${row.environment} key has the address ${row.email} too${other ? ` (${other.id}, ${other.email}, ends in ${other.last4})` : ''}, so nothing was changed. Revoke that key first: keys revoke ${other?.id ?? 'ID'}`,
  );
}
