import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isDeclaredTooLong, readBody } from '@lectern/serving';
import { parse } from 'content-type';
import type { FormRejection } from './form-rejection';
import { formRejections } from './form-rejection';

/** The fields of a submitted form. */
export interface SubmittedForm {
  /**
   * Returns the text of a field, with line breaks as `\n`. Returns '' for a missing field. A field
   * that was sent several times has all its values, one per line.
   */
  value(name: string): string;
  /** Like `value`, for a textarea: each tab becomes a space, because people paste tabs. */
  multilineValue(name: string): string;
}

export type ReadForm = { kind: 'form'; form: SubmittedForm } | { kind: 'rejected'; rejection: FormRejection };

/**
 * The maximum size of a form: enough for the key-request form with all fields full. A letter takes
 * up to nine bytes in percent-encoding.
 */
const maxFormBytes = 16 * 1_024;

/**
 * Reads the urlencoded body of a request. Malformed percent-encoding stays as it is, and bytes that
 * are not UTF-8 become U+FFFD, so that the page can show them to the sender.
 */
export async function readForm(request: IncomingMessage): Promise<ReadForm> {
  if (isDeclaredTooLong(request, maxFormBytes)) return rejected(formRejections.tooLarge(maxFormBytes));
  if (!isUrlencoded(request.headers)) return rejected(formRejections.unsupportedMediaType());
  const read = await readBody(request, maxFormBytes);
  if (read.kind === 'too-long') return rejected(formRejections.tooLarge(maxFormBytes));
  if (read.kind === 'broken-off') return rejected(formRejections.incomplete());
  const fields = new URLSearchParams(read.body.toString('utf8'));
  const value = (name: string): string => fields.getAll(name).join('\n').replace(/\r\n?/g, '\n');
  return { kind: 'form', form: { value, multilineValue: (name) => value(name).replaceAll('\t', ' ') } };
}

const rejected = (rejection: FormRejection): ReadForm => ({ kind: 'rejected', rejection });

function isUrlencoded(headers: IncomingHttpHeaders): boolean {
  if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return false;
  try {
    const { type, parameters } = parse(headers['content-type'] ?? '');
    return type === 'application/x-www-form-urlencoded' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}

/**
 * Returns GET for GET and HEAD, POST for POST, and null for other methods.
 * Node omits the body of a response to HEAD.
 */
export function formMethod({ method }: IncomingMessage): 'GET' | 'POST' | null {
  if (method === 'POST') return 'POST';
  return method === 'GET' || method === 'HEAD' ? 'GET' : null;
}
