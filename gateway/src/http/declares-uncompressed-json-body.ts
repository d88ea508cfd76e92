import type { IncomingHttpHeaders } from 'node:http';
import { isJsonInUtf8 } from '@lectern/serving';

/** Whether the headers declare an uncompressed JSON body in UTF-8. */
export function declaresJsonBody(headers: IncomingHttpHeaders): boolean {
  if (
    headers['content-type'] === 'application/json' &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined
  )
    return true;
  // A transfer coding other than chunked means a compressed body.
  if (/[^\s]/.test((headers['transfer-encoding'] ?? '').replace(/^\s*chunked\s*$/i, ''))) return false;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') return false;
  return isJsonInUtf8(headers['content-type']);
}
