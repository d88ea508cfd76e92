import { parse } from 'content-type';

/** Whether a Content-Type header declares JSON in UTF-8, which is also the default charset. */
export function isJsonInUtf8(contentType: string | undefined): boolean {
  // The usual values are compared first, because parsing takes longer.
  if (contentType === 'application/json' || contentType === 'application/json; charset=utf-8') return true;
  try {
    const { type, parameters } = parse(contentType ?? '');
    return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}
