import type { AuditEntry } from '../keys-types';
import type { SqlScript } from './sql-script-generator-and-key-store-types';
import { query } from './sql-script-generator-and-key-store-types';

export const insertAudit = ({ at, by, act, keyId, requestId, note }: AuditEntry): SqlScript<readonly unknown[]> =>
  query(
    'INSERT INTO audit_entry (at, by_whom, act, key_id, request_id, note) VALUES ($1, $2, $3, $4, $5, $6)',
    at,
    by,
    act,
    keyId,
    requestId,
    note,
  );

/** Selects the latest entries of the audit log, newest first. */
export const selectLatestAudit = (limit: number): SqlScript<readonly AuditEntry[]> =>
  query<AuditEntry>(
    'SELECT at, by_whom AS "by", act, key_id AS "keyId", request_id AS "requestId", note FROM audit_entry ORDER BY id DESC LIMIT $1',
    limit,
  );
