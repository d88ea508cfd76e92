import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'content-type';
import Negotiator from 'negotiator';

/** What an answer can be labelled as. Only under the newer one does a refused document have the status 400. */
export type ResponseMediaType = 'application/json' | 'application/graphql-response+json';

const answerTypes: readonly ResponseMediaType[] = ['application/json', 'application/graphql-response+json'];

/** The type that the Accept header prefers; without one, plain JSON. Null when it excludes both. */
export function negotiateMediaType(headers: IncomingHttpHeaders): ResponseMediaType | null {
  // What clients mostly say is not worth reading closely.
  if (
    headers.accept === undefined ||
    headers.accept === '*/*' ||
    headers.accept === 'application/json' ||
    headers.accept.trim() === ''
  )
    return 'application/json';
  // Every answer is UTF-8, so a charset asked for along with the type does not narrow the choice.
  const accept = headers.accept.replace(/;\s*charset="?utf-?8"?/gi, '');
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes([...answerTypes]);
  return answerTypes.find((type) => type === preferred) ?? null;
}

/** Whether the body is declared as JSON in UTF-8, uncompressed. */
export function isJsonBody(headers: IncomingHttpHeaders): boolean {
  if (
    headers['content-type'] === 'application/json' &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined
  )
    return true;
  // A transfer coding beside chunked would be a compressed body too.
  if (/[^\s]/.test((headers['transfer-encoding'] ?? '').replace(/^\s*chunked\s*$/i, ''))) return false;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') return false;
  try {
    const { type, parameters } = parse(headers['content-type'] ?? '');
    return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}
