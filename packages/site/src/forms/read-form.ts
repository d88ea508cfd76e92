import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isDeclaredTooLong, readBody } from '@lectern/serving';
import { parse } from 'content-type';
import type { FormRejection } from './form-rejection';
import { formRejections } from './form-rejection';

/** What somebody sent with a form. */
export interface SubmittedForm {
  /** What was typed, with the line ends of this side; empty for a field that is not there. One sent several times has all its values, one a line. */
  value(name: string): string;
  /** The same of a field for several lines, into which people paste tabs. */
  lines(name: string): string;
}

/** Room for three full fields in any script, each letter of which travels as nine characters. */
export const maxFormBytes = 16 * 1_024;

/** Half-written percent signs are read as they stand, and bytes that are no UTF-8 as U+FFFD: both go back to the sender to look at. */
export async function readForm(request: IncomingMessage): Promise<SubmittedForm | FormRejection> {
  if (isDeclaredTooLong(request, maxFormBytes)) return formRejections.tooLong(maxFormBytes);
  if (!isFormBody(request.headers)) return formRejections.type();
  const body = await readBody(request, maxFormBytes);
  if (body === 'too-long') return formRejections.tooLong(maxFormBytes);
  if (body === 'broken-off') return formRejections.broken();
  const fields = new URLSearchParams(body.toString('utf8'));
  const value = (name: string): string => fields.getAll(name).join('\n').replace(/\r\n?/g, '\n');
  return { value, lines: (name) => value(name).replaceAll('\t', ' ') };
}

export const isRefusal = (read: SubmittedForm | FormRejection): read is FormRejection => 'status' in read;

function isFormBody(headers: IncomingHttpHeaders): boolean {
  if (!/^(identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) return false;
  try {
    const { type, parameters } = parse(headers['content-type'] ?? '');
    return type === 'application/x-www-form-urlencoded' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}
