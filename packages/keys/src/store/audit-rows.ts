import type { AuditEntry } from '../records';
import type { Work } from './work';
import { rowsOf } from './work';

export const insertAudit = ({ at, by, act, keyId, requestId, note }: AuditEntry): Work<readonly unknown[]> =>
  rowsOf(
    'INSERT INTO audit_entry (at, by_whom, act, key_id, request_id, note) VALUES ($1, $2, $3, $4, $5, $6)',
    at,
    by,
    act,
    keyId,
    requestId,
    note,
  );

/** Newest first. */
export const latestAudit = (most: number): Work<readonly AuditEntry[]> =>
  rowsOf<AuditEntry>(
    'SELECT at, by_whom AS "by", act, key_id AS "keyId", request_id AS "requestId", note FROM audit_entry ORDER BY id DESC LIMIT $1',
    most,
  );
