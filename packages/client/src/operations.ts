import type { Arguments, DocumentText, LecternClient } from './client.js';
import { InvalidResponseError, ResponseError } from './errors.js';

// The generated functions call these. They throw a `ResponseError` if the root field is null because of an error. An
// error of an inner field is dropped, which only `LecternClient.execute` returns.

/** Reads the value of a root field that may be null without an error. */
export async function readNullable<Data, Variables, Value>(
  client: LecternClient,
  document: DocumentText<Data, Variables>,
  args: Arguments<Variables>,
  read: (data: Data) => Value | null | undefined,
): Promise<Value | null> {
  const { data, errors, requestId } = await client.execute(document, ...args);
  const value = (data && read(data)) ?? null;
  if (value === null && errors.length > 0) throw new ResponseError(errors, data, { requestId, status: 200 });
  return value;
}

/** Reads the value of a root field that is null only because of an error. */
export async function readValue<Data, Variables, Value>(
  ...[client, document, args, read]: Parameters<typeof readNullable<Data, Variables, Value>>
): Promise<Value> {
  const value = await readNullable(client, document, args, read);
  if (value !== null) return value;
  throw new InvalidResponseError('The response has neither a value nor an error.', { code: 'INVALID_RESPONSE' });
}
